import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { type Field, parseFieldFile } from '@albedo/plugin-kit/fields/field-file';
import { fieldRecords, filledSource } from '@albedo/plugin-kit/fields/field-records';
import { instant, plainText } from '@albedo/plugin-kit/fields/field-value';
import { parsePath, type ValuePath, valueAt } from '@albedo/plugin-kit/fields/value-path';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';

/** Before this, a machine has no time, or was never heard of: what it says is of nobody knows when. */
const FIRST_TRUSTED = Date.UTC(2000, 0, 1);
/** Sources at most, since topics come from the plant. */
const MOST_SOURCES = 2000;

interface TopicField extends Field {
  filter: string;
  path: ValuePath;
}

/** Plain topics with JSON or a single value in each message. */
export class Topics {
  readonly #fields: TopicField[];
  readonly #time: ValuePath | null;
  /** Newest values by source, since a record has all columns of its source. */
  readonly #latest = new Map<string, Map<Field, unknown>>();

  private constructor(fields: TopicField[], time: ValuePath | null) {
    this.#fields = fields;
    this.#time = time;
  }

  /**
   * Reads a configuration whose addresses are a topic filter and, after a blank, the path within the message. A line
   * `_time, path` says where messages have their time. Throws `InputError` with every fault.
   */
  static parse(text: string, file: string): Topics {
    let time: ValuePath | null = null;
    const fields = parseFieldFile(
      text,
      file,
      (address) => void addressOf(address),
      (name, [path = '']) => {
        if (name !== '_time') throw new InputError(`there is no line "${name}"`);
        time = parsePath(path);
      },
    );
    return new Topics(
      fields.map((field) => ({ ...field, ...addressOf(field.address) })),
      time,
    );
  }

  get filters(): string[] {
    return [...new Set(this.#fields.map(({ filter }) => filter))];
  }

  /** What a message tells: one record for each source that it concerns. Throws for one that cannot be understood. */
  take(topic: string, payload: Buffer, now: number): PluginRecord[] {
    const touched = this.#fields.filter(({ filter }) => wildcardsOf(filter, topic) !== null);
    if (touched.length === 0) return [];
    const message = messageOf(payload);
    const said = this.#time && instant(valueAt(message, this.#time));
    if (said && said.getTime() < FIRST_TRUSTED)
      throw new Error(`its time is ${said.toISOString()}, so it is left out`);
    const at = said ? Math.min(said.getTime(), now) : now;
    const sources = new Map<string, { field: TopicField; source: (string | number)[] }>();
    for (const field of touched) {
      const source = filledSource(field.source, [topic], placeholders(field.filter, topic));
      const key = [field.table, ...source].join('\n');
      if (!this.#latest.has(key) && this.#latest.size >= MOST_SOURCES) continue;
      const values = this.#latest.get(key) ?? new Map<Field, unknown>();
      values.set(field, valueAt(message, field.path) ?? null);
      this.#latest.set(key, values);
      sources.set(key, { field, source });
    }
    return [...sources].flatMap(([key, { field, source }]) => {
      const values = this.#latest.get(key);
      return fieldRecords(
        this.#together(field, topic),
        (one) => values?.get(one),
        () => source,
      ).map((record) => ({ ...record, at }));
    });
  }

  /** The columns of a record: fields that are written into the same source, whichever topic they come from. */
  #together({ table, source }: TopicField, topic: string): TopicField[] {
    return this.#fields.filter(
      (one) =>
        one.table === table &&
        one.source === source &&
        (source !== '' || wildcardsOf(one.filter, topic) !== null),
    );
  }
}

function addressOf(address: string): { filter: string; path: ValuePath } {
  const [filter = '', ...rest] = address.split(' ');
  const levels = filter.split('/');
  const isWrong = levels.some(
    (level, index) =>
      (level.includes('#') && (level !== '#' || index < levels.length - 1)) ||
      (level.includes('+') && level !== '+'),
  );
  if (filter === '' || isWrong) throw new InputError(`topic: "${filter}" is no topic filter`);
  return { filter, path: parsePath(rest.join(' ')) };
}

/** What the wildcards of a filter stand for in a topic; null where it does not match. */
export function wildcardsOf(filter: string, topic: string): string[] | null {
  const [wanted, levels] = [filter.split('/'), topic.split('/')];
  const found: string[] = [];
  for (const [index, level] of wanted.entries()) {
    if (level === '#') return [...found, levels.slice(index).join('/')];
    const own = levels[index];
    if (own === undefined || (level !== '+' && level !== own)) return null;
    if (level === '+') found.push(own);
  }
  return wanted.length === levels.length ? found : null;
}

function placeholders(filter: string, topic: string): Map<string, string> {
  const found = wildcardsOf(filter, topic) ?? [];
  return new Map([['TOPIC', topic], ...found.map((text, index) => [String(index + 1), text] as const)]);
}

/** JSON, or the text itself. Throws for what only begins as JSON does. */
function messageOf(payload: Buffer): unknown {
  const text = payload.toString('utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    if (/^\s*[[{]/.test(text)) throw new Error(`no JSON: ${(error as Error).message}`, { cause: error });
    return plainText(text);
  }
}
