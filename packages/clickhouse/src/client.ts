import { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { type ClickHouseClient, ClickHouseError, createClient } from '@clickhouse/client';
import { type NumberColumns, type NumberType, readColumns } from './native.ts';
import { readLists, type TextsAndLists } from './row-binary.ts';
import { prepareStatement, quoteText } from './statement.ts';

export type { TextsAndLists } from './row-binary.ts';
export { ClickHouseError };

/** Values of `{name:Type}` placeholders. */
export type QueryParams = Readonly<Record<string, unknown>>;
export type Settings = Readonly<Record<string, string | number>>;

export interface Ask {
  params?: QueryParams;
  settings?: Settings;
  signal?: AbortSignal | undefined;
}

/** ClickHouse, embedded or served: nothing above it knows which. */
export interface ClickHouse {
  /** Rows as objects. 64-bit integers come as texts. */
  query<Row>(sql: string, ask?: Ask): Promise<Row[]>;
  /** Rows as arrays in the order of the columns: half the bytes of objects. */
  queryRows<Row extends readonly unknown[]>(sql: string, ask?: Ask): Promise<Row[]>;
  /** Rows as arrays up to the LIMIT of the statement, and how many there were before it. */
  queryPage<Row extends readonly unknown[]>(sql: string, ask?: Ask): Promise<{ rows: Row[]; total: number }>;
  /**
   * Rows of some columns of String and then some of Array(Float64): numbers as the engine has them, which neither side
   * writes or reads as text.
   */
  queryLists(sql: string, columns: { texts: number; lists: number }, ask?: Ask): Promise<TextsAndLists[]>;
  /** Columns of numbers, each one list over all rows: for hundreds of thousands of them. */
  queryColumns<const Types extends readonly NumberType[]>(
    sql: string,
    types: Types,
    ask?: Ask,
  ): Promise<NumberColumns<Types>>;
  /** Rows as arrays, a piece at a time. */
  stream<Row extends readonly unknown[]>(sql: string, ask?: Ask): AsyncIterable<Row[]>;
  /**
   * The bytes of an answer in a format of the engine, such as Parquet, a piece at a time. Rejects when the statement is
   * refused; what fails later breaks the stream off.
   */
  bytes(sql: string, format: string, ask?: Ask): Promise<Readable>;
  /** A statement without rows. */
  exec(sql: string, ask?: Ask): Promise<void>;
  /**
   * Inserts data that is already encoded. Resolves when it is durable; the same token twice is stored once.
   *
   * `sql` ends with its format: `INSERT INTO t (a, b) FORMAT JSONEachRow`.
   */
  insert(sql: string, data: Buffer, ask?: Ask & { token?: string }): Promise<void>;
  /** Throws when there is no answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface ClickHouseAddress {
  url: string;
  username?: string;
  password?: string;
  /** The only authorities whose certificates the server may show, PEM; those of the system without it. */
  ca?: string;
  /** Certificate and key, PEM, where the server asks who comes. */
  own?: { cert: string; key: string };
}

function tlsOf({ ca, own }: ClickHouseAddress) {
  if (!ca && !own) return {};
  // The client takes a certificate of ours only beside authorities.
  const ca_cert = Buffer.from(ca ?? rootCertificates.join('\n'));
  return { tls: own ? { ca_cert, cert: Buffer.from(own.cert), key: Buffer.from(own.key) } : { ca_cert } };
}

/** Names and passwords in the address are taken from it. Connects with the first request. */
export function connectClickHouse(address: ClickHouseAddress): ClickHouse {
  const client = createClient({
    url: address.url,
    ...(address.username ? { username: address.username } : {}),
    ...(address.password ? { password: address.password } : {}),
    ...tlsOf(address),
    request_timeout: 300_000,
    max_open_connections: 64,
    use_multipart_params_auto: true,
    keep_alive: { idle_socket_ttl: 2500 },
    log: { level: 127 },
    clickhouse_settings: {
      date_time_input_format: 'basic',
      output_format_json_quote_64bit_integers: 1,
    },
  });
  return new Connected(client);
}

/** A read changes nothing, and ends when its caller goes away. */
const READ: Settings = { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 };

class Connected implements ClickHouse {
  readonly #client: ClickHouseClient;

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  async query<Row>(sql: string, ask: Ask = {}): Promise<Row[]> {
    const result = await this.#client.query({
      query: sql,
      format: 'JSONEachRow',
      ...reading({ ...ask, settings: { ...ask.settings, wait_end_of_query: 1 } }),
    });
    return (await result.json()) as Row[];
  }

  async queryRows<Row extends readonly unknown[]>(sql: string, ask: Ask = {}): Promise<Row[]> {
    const result = await this.#client.query({
      query: sql,
      format: 'JSONCompactEachRow',
      ...reading({ ...ask, settings: { ...ask.settings, wait_end_of_query: 1 } }),
    });
    const text = await result.text();
    // One array of lines: a single call of the parser instead of one for each row.
    return text === '' ? [] : (JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as Row[]);
  }

  async queryPage<Row extends readonly unknown[]>(
    sql: string,
    ask: Ask = {},
  ): Promise<{ rows: Row[]; total: number }> {
    const settings = { ...ask.settings, wait_end_of_query: 1, exact_rows_before_limit: 1 };
    const result = await this.#client.query({
      query: sql,
      format: 'JSONCompact',
      ...reading({ ...ask, settings }),
    });
    const { data, rows, rows_before_limit_at_least: total } = await result.json<Row>();
    return { rows: data as unknown as Row[], total: total ?? rows ?? data.length };
  }

  async queryLists(
    sql: string,
    columns: { texts: number; lists: number },
    ask: Ask = {},
  ): Promise<TextsAndLists[]> {
    return readLists(await this.#whole(sql, 'RowBinary', ask), columns);
  }

  async queryColumns<const Types extends readonly NumberType[]>(
    sql: string,
    types: Types,
    ask: Ask = {},
  ): Promise<NumberColumns<Types>> {
    return readColumns(await this.#whole(sql, 'Native', ask), types);
  }

  async #whole(sql: string, format: string, ask: Ask): Promise<Buffer> {
    const settings = { max_query_size: 4_000_000, ...ask.settings, wait_end_of_query: 1 };
    const chunks: Buffer[] = [];
    for await (const chunk of await this.bytes(sql, format, { ...ask, settings }))
      chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  async *stream<Row extends readonly unknown[]>(sql: string, ask: Ask = {}): AsyncGenerator<Row[]> {
    const result = await this.#client.query({ query: sql, format: 'JSONCompactEachRow', ...reading(ask) });
    try {
      for await (const rows of result.stream()) yield rows.map((row) => row.json() as unknown as Row);
    } finally {
      result.close();
    }
  }

  async bytes(sql: string, format: string, ask: Ask = {}): Promise<Readable> {
    const { query, rest } = inlined(`${sql} FORMAT ${format}`, ask);
    const { stream } = await this.#client.exec({ query, ...reading(rest) });
    return stream;
  }

  async exec(sql: string, ask: Ask = {}): Promise<void> {
    const { query, rest } = inlined(sql, ask);
    await this.#client.command({ query, ...common(rest) });
  }

  async insert(sql: string, data: Buffer, ask: Ask & { token?: string } = {}): Promise<void> {
    const settings: Settings = {
      ...ask.settings,
      async_insert: 0,
      input_format_skip_unknown_fields: 0,
      ...(ask.token === undefined ? {} : { insert_deduplicate: 1, insert_deduplication_token: ask.token }),
    };
    const { stream } = await this.#client.exec({
      query: sql,
      values: Readable.from([data], { objectMode: false }),
      ...common({ ...ask, settings }),
    });
    for await (const _rest of stream);
  }

  async ping(): Promise<void> {
    const result = await this.#client.ping({ select: true });
    if (!result.success) throw result.error;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** Values that are longer do not fit into an address, ahead of which only rows can be sent another way. Characters. */
const ADDRESS = 1500;

/** A statement with its values as literals, where they are long. */
function inlined(query: string, { params, ...rest }: Ask): { query: string; rest: Ask } {
  const texts = new Map(Object.entries(params ?? {}).map(([name, value]) => [name, asText(value)]));
  const length = [...texts.values()].reduce((sum, text) => sum + text.length, 0);
  if (length <= ADDRESS) return { query, rest: { ...rest, ...(params ? { params } : {}) } };
  return { query: prepareStatement(query, texts).sql, rest };
}

/** A value as a parameter of ClickHouse is written; texts inside of lists are quoted. */
function asText(value: unknown, isInside = false): string {
  if (Array.isArray(value)) return `[${value.map((one) => asText(one, true)).join(',')}]`;
  if (value === null || value === undefined) return isInside ? 'NULL' : '\\N';
  if (typeof value !== 'string') return String(value);
  return isInside ? quoteText(value) : value.replaceAll('\\', '\\\\');
}

function common(ask: Ask) {
  return {
    clickhouse_settings: { ...ask.settings },
    ...(ask.params ? { query_params: { ...ask.params } } : {}),
    ...(ask.signal ? { abort_signal: ask.signal } : {}),
  };
}

const reading = (ask: Ask) => common({ ...ask, settings: { ...READ, ...ask.settings } });
