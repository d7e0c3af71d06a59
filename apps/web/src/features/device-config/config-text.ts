import { CONFIG_LISTS, type ConfigList } from '@albedo/contract/device-config/scenarios.schema';
import { isAlias, isMap, isSeq, LineCounter, parseDocument, stringify } from 'yaml';

/** The lists of a configuration in the order in which they are shown. */
export const LISTS = Object.keys(CONFIG_LISTS) as ConfigList[];

/** One thing that a device captures, as the configuration says it. */
export interface ConfigEntry {
  list: ConfigList;
  /** Its place in the list. */
  at: number;
  values: Readonly<Record<string, unknown>>;
  /** Its columns are a list that others share, so they are not changed here. */
  hasSharedFields: boolean;
}

/** What the lists of a text hold; with the line of the fault (null where it has none) when it is no YAML. */
export function entriesOf(text: string): ConfigEntry[] | { line: number | null } {
  const lines = new LineCounter();
  const doc = parseDocument(text, { lineCounter: lines });
  const [fault] = doc.errors;
  if (fault) return { line: fault.linePos?.[0].line ?? null };
  if (doc.contents !== null && !isMap(doc.contents)) return { line: 1 };
  let all: Record<string, unknown>;
  try {
    all = (doc.toJS() ?? {}) as Record<string, unknown>;
  } catch {
    return { line: null };
  }
  return LISTS.flatMap((list) => {
    const entries = Object.hasOwn(all, list) ? all[list] : [];
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((values: unknown, at) => {
      if (typeof values !== 'object' || values === null) return [];
      const fields = doc.getIn([list, at, 'fields'], true);
      const hasSharedFields = isAlias(fields) || (isSeq(fields) && fields.anchor !== undefined);
      return [{ list, at, values: values as Record<string, unknown>, hasSharedFields }];
    });
  });
}

/**
 * The text with an entry added (`at` null) or changed: only what differs is written, so comments, order and keys that no
 * form knows stay.
 */
export function putEntry(
  text: string,
  { list, at, values }: { list: ConfigList; at: number | null; values: Readonly<Record<string, unknown>> },
): string {
  const doc = parseDocument(text);
  if (at === null) {
    if (!isMap(doc.contents))
      return `${text.replace(/\n*$/, text.trim() === '' ? '' : '\n')}${stringify({ [list]: [values] })}`;
    const there = doc.get(list);
    if (isSeq(there)) {
      there.flow = false;
      doc.addIn([list], doc.createNode(values));
    } else doc.set(list, doc.createNode([values]));
    return String(doc);
  }
  const before = (doc.toJS() as Record<string, Record<string, unknown>[]>)[list]?.[at] ?? {};
  for (const key of Object.keys(before)) if (!(key in values)) doc.deleteIn([list, at, key]);
  for (const [key, value] of Object.entries(values)) {
    if (JSON.stringify(before[key]) !== JSON.stringify(value))
      doc.setIn([list, at, key], doc.createNode(value));
  }
  return String(doc);
}

/** The text without an entry; a list that is empty then goes with it. */
export function withoutEntry(text: string, { list, at }: Pick<ConfigEntry, 'list' | 'at'>): string {
  const doc = parseDocument(text);
  doc.deleteIn([list, at]);
  const rest = doc.get(list);
  // An empty list means none at all; without the list the agent looks where it does by itself.
  if (isSeq(rest) && rest.items.length === 0 && list !== 'dynamic_tail' && list !== 'run_dir')
    doc.delete(list);
  return String(doc);
}
