import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { readText } from '@albedo/plugin-kit/command-line/text-file';
import { filledSource } from '@albedo/plugin-kit/fields/field-records';
import { columnValue, instant, plainText } from '@albedo/plugin-kit/fields/field-value';
import type { Plugin, Reader } from '@albedo/plugin-kit/plugin';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import type { Database, SqlRows, SqlTarget } from './database.ts';
import { openMssql } from './mssql.ts';
import { openMysql } from './mysql.ts';
import { openPostgres } from './postgres.ts';
import { sqlTarget } from './sql-target.ts';
import { Watermark } from './watermark.ts';

/** Rows asked for at once; cut off in between, at most so many are written twice. */
const PAGE = 500;
/** Name of the column in which the database says the watermark. */
const MARK = 'albedo_watermark';
const TLS = ['no', 'yes', 'any'] as const;

export const sqlPlugin: Plugin = {
  name: 'sql_albedo',
  summary: 'Reads new rows from PostgreSQL, MySQL, MariaDB or SQL Server.',
  positionals: ['endpoint', 'query_file'],
  options: {
    user: { kind: 'text', default: '', help: 'name to sign in with; it should only be allowed to read' },
    password: { kind: 'secret', default: '', help: 'password of that user' },
    tls: { kind: 'choice', options: TLS, default: 'no', help: 'encryption; any takes every certificate' },
    table: { kind: 'text', default: 'sql', help: 'table of the records' },
    source: {
      kind: 'text',
      default: '',
      help: 'name of the source; {column} stands for what a row has there',
    },
    time: { kind: 'text', default: '', help: 'column with the time of a row' },
    watermark: {
      kind: 'text',
      default: '',
      help: 'column that only rises, such as a number or the time of writing; only rows above the last one are read',
    },
    start: { kind: 'text', default: '', help: 'the first time: only rows from this watermark on' },
    timeout: {
      kind: 'decimal',
      default: 30,
      min: 0.1,
      max: 3600,
      help: 'longest wait for an answer, seconds',
    },
  },
  package: {
    name: 'sql',
    title: 'SQL databases',
    labels: ['loggers', 'other'],
    arguments: {
      endpoint: {
        default: 'postgres://',
        help: 'postgres, mysql, mariadb or mssql, such as mysql://10.0.0.5/scada',
      },
      query_file: {
        type: 'fileContent',
        directory: '/opt/albedo/plugins-config/sql',
        help: 'one SELECT without its end, such as SELECT id, at, power FROM readings',
      },
      source_map: { type: 'sourceMap', directory: '/opt/albedo/plugins-config/source-maps' },
    },
  },
  open: (args) => new SqlReader(args),
};

const OPEN = { postgres: openPostgres, mysql: openMysql, mssql: openMssql } as const satisfies Record<
  SqlTarget['kind'],
  (target: SqlTarget) => Promise<Database>
>;

class SqlReader implements Reader {
  readonly #target: SqlTarget;
  readonly #query: string;
  readonly #table: string;
  readonly #source: string;
  readonly #time: string;
  readonly #markColumn: string;
  readonly #mark: Watermark;
  #database: Database | null = null;

  constructor(args: Arguments) {
    this.#target = sqlTarget(args);
    this.#query = queryOf(readText(args.text('query_file'), 'query'));
    this.#table = args.text('table');
    if (!/^[^./\\]+$/.test(this.#table))
      throw new InputError(`table: "${this.#table}" must be a name without full stops and slashes`);
    this.#source = args.text('source');
    this.#time = args.text('time');
    this.#markColumn = args.text('watermark');
    const start = args.text('start');
    if (start !== '' && this.#markColumn === '') throw new InputError('start: it needs a watermark');
    this.#mark = new Watermark(this.#statePath(args), start === '' ? null : start);
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    try {
      this.#database ??= await OPEN[this.#target.kind](this.#target);
      if (this.#markColumn === '') yield* this.#records(await this.#all(this.#database), Date.now());
      else yield* this.#new(this.#database, signal);
    } catch (error) {
      await this.close();
      failed(new Error(`${this.#name()}: ${plainText(messageOf(error)).slice(0, 300)}`));
    }
  }

  async close(): Promise<void> {
    const database = this.#database;
    this.#database = null;
    // What cannot be closed is gone already.
    await database?.close().catch(() => {});
  }

  #all(database: Database): Promise<SqlRows> {
    return database.select(database.limited(`* FROM (${this.#query}) AS q`, PAGE), []);
  }

  /** Page by page. The watermark moves once the rows before it are written. */
  async *#new(database: Database, signal: AbortSignal): AsyncGenerator<PluginRecord> {
    const column = `q.${database.name(this.#markColumn)}`;
    while (!signal.aborted) {
      const from = this.#mark.value;
      const where = from === null ? `${column} IS NOT NULL` : `${column} >= ${database.parameter}`;
      const select = `q.*, ${database.asText(column)} AS ${MARK} FROM (${this.#query}) AS q WHERE ${where} ORDER BY ${column}`;
      const found = await database.select(database.limited(select, PAGE), from === null ? [] : [from]);
      const fresh = this.#fresh(found);
      yield* this.#records({ columns: found.columns.slice(0, -1), rows: fresh }, Date.now());
      this.#mark.save();
      if (found.rows.length < PAGE) return;
      if (fresh.length === 0)
        throw new Error(`more than ${PAGE} rows have the watermark ${this.#mark.value}`);
    }
  }

  #fresh({ rows }: SqlRows): unknown[][] {
    return rows.flatMap((row) => {
      const values = row.slice(0, -1);
      return this.#mark.isNew(String(row.at(-1)), values) ? [values] : [];
    });
  }

  *#records({ columns, rows }: SqlRows, now: number): Generator<PluginRecord> {
    const timeAt = this.#time === '' ? -1 : columns.findIndex(({ name }) => name === this.#time);
    if (this.#time !== '' && timeAt < 0) throw new Error(`the query has no column ${this.#time}`);
    const shown = columns.flatMap(({ name }, index) =>
      index === timeAt || this.#source.includes(`{${name}}`) ? [] : [index],
    );
    for (const row of rows) {
      const at = timeAt < 0 ? now : instant(row[timeAt])?.getTime();
      // A row without its time belongs nowhere.
      if (at === undefined) continue;
      yield {
        table: this.#table,
        source: this.#sourceOf(columns, row),
        at,
        columns: shown.flatMap((index) => columns[index] ?? []),
        values: shown.map((index) => columnValue(columns[index]?.type ?? 'keyword', row[index])),
      };
    }
  }

  #sourceOf(columns: SqlRows['columns'], row: unknown[]): (string | number)[] {
    const names = new Map(
      columns.map(({ name }, index) => [name, plainText(row[index] ?? '-').replaceAll('/', '-')]),
    );
    return filledSource(this.#source, [this.#target.host, this.#target.database], names);
  }

  #name(): string {
    const { host, port, database } = this.#target;
    return `${host}:${port}/${database}`;
  }

  /** Beside the records; what `discover` reads is not remembered. */
  #statePath(args: Arguments): string | null {
    const output = args.text('output_directory');
    if (output === '' || this.#markColumn === '') return null;
    const what = [this.#name(), this.#query, this.#source, this.#markColumn].join('\n');
    const print = createHash('sha256').update(what).digest('hex').slice(0, 16);
    return join(output, this.#table, `.sql-${print}`);
  }
}

/** One SELECT, which is asked for as a part of another one. */
function queryOf(text: string): string {
  const query = text.trim().replace(/;\s*$/, '');
  if (!/^(SELECT|WITH)\b/i.test(query)) throw new InputError('query: it begins with neither SELECT nor WITH');
  if (query.includes(';')) throw new InputError('query: there may only be one, without a semicolon');
  if (/--|\/\*/.test(query)) throw new InputError('query: it may have no comments');
  return query;
}
