import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { readText } from '@albedo/plugin-kit/command-line/text-file';
import { type Field, fieldFileHelp, parseFieldFile } from '@albedo/plugin-kit/fields/field-file';
import { fieldRecords, filledSource } from '@albedo/plugin-kit/fields/field-records';
import { instant, plainText } from '@albedo/plugin-kit/fields/field-value';
import { parsePath, type ValuePath, valueAt } from '@albedo/plugin-kit/fields/value-path';
import type { Plugin, Reader } from '@albedo/plugin-kit/plugin';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import { fetchText, type PageRequest, reasonOf } from './fetch-text.ts';
import { FORMATS, type Format, readPage } from './page.ts';

/** Rows of one page at most. */
const MOST_ROWS = 5000;

export const httpPlugin: Plugin = {
  name: 'http_albedo',
  summary: 'Reads values from a page that a machine serves by HTTP, as JSON, CSV or XML.',
  positionals: ['endpoint', 'config_file'],
  options: {
    format: { kind: 'choice', options: FORMATS, default: 'auto', help: 'what the page is' },
    user: { kind: 'text', default: '', help: 'name to sign in with (basic authentication)' },
    password: { kind: 'secret', default: '', help: 'password of that user' },
    token: { kind: 'secret', default: '', help: 'token to sign in with (bearer)' },
    timeout: { kind: 'decimal', default: 10, min: 0.1, max: 300, help: 'longest wait for the page, seconds' },
    max_size: { kind: 'decimal', default: 2, min: 0.001, max: 50, help: 'largest page, MB' },
  },
  package: {
    name: 'http',
    title: 'HTTP pages',
    labels: ['loggers', 'other'],
    arguments: {
      endpoint: { default: 'http://', help: 'address of the page' },
      config_file: {
        type: 'fileContent',
        directory: '/opt/albedo/plugins-config/http',
        help: fieldFileHelp('meter, roof, Power, meters[0].power, decimal, W'),
      },
      source_map: { type: 'sourceMap', directory: '/opt/albedo/plugins-config/source-maps' },
    },
  },
  open: (args) => new HttpReader(args),
};

interface PageConfig {
  fields: (Field & { path: ValuePath })[];
  /** Where the rows lie; null for a page that is one row. */
  rows: ValuePath | null;
  time: ValuePath | null;
}

class HttpReader implements Reader {
  readonly #request: PageRequest;
  readonly #host: string;
  readonly #format: Format;
  readonly #config: PageConfig;
  /** Newest time written, by source: a page often shows the same rows again. Epoch ms. */
  readonly #newest = new Map<string, number>();

  constructor(args: Arguments) {
    const [file, endpoint] = [args.text('config_file'), args.text('endpoint')];
    const url = URL.parse(endpoint);
    if (!url?.hostname || !['http:', 'https:'].includes(url.protocol)) {
      throw new InputError(`endpoint: "${endpoint.slice(0, 200)}" is not of the form http://10.0.0.5/values`);
    }
    if (url.username !== '') throw new InputError('endpoint: user and password are arguments of their own');
    this.#request = {
      url: endpoint,
      headers: { accept: '*/*', ...authorization(args) },
      timeoutMs: args.number('timeout') * 1000,
      mostBytes: args.number('max_size') * 1_000_000,
    };
    this.#host = url.host.replace(':', '/');
    this.#format = FORMATS.find((one) => one === args.text('format')) ?? 'auto';
    this.#config = parseConfig(readText(file, 'configuration'), file);
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    const now = Date.now();
    let rows: unknown[];
    try {
      const { text, type } = await fetchText(this.#request, signal);
      rows = this.#rowsOf(readPage(text, type, this.#format));
    } catch (error) {
      failed(new Error(`${this.#request.url}: ${plainText(reasonOf(error)).slice(0, 300)}`));
      return;
    }
    let count = 0;
    for (const row of rows) {
      for (const record of this.#records(row, now)) {
        count++;
        yield record;
      }
    }
    if (count === 0 && this.#config.time === null)
      failed(new Error(`${this.#request.url}: the page has none of the values`));
  }

  async close(): Promise<void> {}

  #rowsOf(page: unknown): unknown[] {
    // A table without a place for its rows is about now: its last line.
    if (this.#config.rows === null) return [Array.isArray(page) ? page.at(-1) : page];
    const rows = valueAt(page, this.#config.rows);
    if (rows === undefined) throw new Error('the page has no rows where the configuration says');
    return (Array.isArray(rows) ? rows : [rows]).slice(-MOST_ROWS);
  }

  /** Of one row, without what an earlier reading has written. */
  #records(row: unknown, now: number): PluginRecord[] {
    const { fields, time } = this.#config;
    const said = time && instant(valueAt(row, time));
    if (time && !said) return [];
    const at = said ? said.getTime() : now;
    const records = fieldRecords(
      fields,
      (field) => valueAt(row, (field as PageConfig['fields'][number]).path),
      ({ source }) => this.#sourceOf(source, row),
    );
    if (!time) return records;
    return records.flatMap((record) => {
      const key = [record.table, ...record.source].join('\n');
      if (at <= (this.#newest.get(key) ?? Number.NEGATIVE_INFINITY) || at > now + 3_600_000) return [];
      this.#newest.set(key, at);
      return [{ ...record, at }];
    });
  }

  #sourceOf(source: string, row: unknown): (string | number)[] {
    const names = new Map([['ENDPOINT', this.#host]]);
    for (const [, path = ''] of source.matchAll(/\{([^{}]+)\}/g)) {
      const value = path === 'ENDPOINT' ? undefined : valueAt(row, parsePath(path));
      if (value !== undefined) names.set(path, plainText(value).replaceAll('/', '-'));
    }
    return filledSource(source, [this.#host], names);
  }
}

function authorization(args: Arguments): Record<string, string> {
  const [user, password, token] = [args.text('user'), args.text('password'), args.text('token')];
  if (user !== '' && token !== '') throw new InputError('token: a user signs in with a password instead');
  if (/[^\x21-\x7e]/.test(token)) throw new InputError('token: it has characters that none can have');
  if (user !== '') return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}

function parseConfig(text: string, file: string): PageConfig {
  const config: Omit<PageConfig, 'fields'> = { rows: null, time: null };
  const fields = parseFieldFile(
    text,
    file,
    (address) => void parsePath(address),
    (name, [path = '']) => {
      if (name === '_rows') config.rows = parsePath(path);
      else if (name === '_time') config.time = parsePath(path);
      else throw new InputError(`there is no line "${name}"; there are _rows and _time`);
    },
  );
  return { ...config, fields: fields.map((field) => ({ ...field, path: parsePath(field.address) })) };
}
