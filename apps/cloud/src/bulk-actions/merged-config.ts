import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { invalid } from '../errors/request-issues.ts';

/** What each device has for itself, and what a plant decides for itself. */
const OWN = ['mqtt', 'remote', 'timezone', 'dynamic'];
/** Lists whose entries have a name of their own. */
const LISTS = new Set(['run', 'tail', 'watch', 'unix_socket']);

/**
 * A configuration with a part put into it; comments and the order of what stays are kept. Throws what is wrong with the
 * part. Text that cannot be read is not touched: the device says what is wrong with it.
 */
export function mergedConfig(text: string, part: string): string {
  const given = parseDocument(part);
  const [error] = given.errors;
  if (error || !isMap(given.contents)) {
    const why = error?.message.split('\n')[0] ?? 'a mapping is expected';
    throw invalid('issue.bulk_part', { why }, 'part');
  }
  const changes = given.toJS() as Record<string, unknown>;
  const own = Object.keys(changes).find((key) => OWN.includes(key));
  if (own !== undefined) throw invalid('issue.bulk_part_key', { key: own }, 'part');
  const document = parseDocument(text === '' ? '{}' : text);
  if (document.errors.length > 0 || !isMap(document.contents)) return text;
  const before = JSON.stringify(document.toJS());
  for (const [key, value] of Object.entries(changes)) put(document, key, value);
  return JSON.stringify(document.toJS()) === before ? text : document.toString({ lineWidth: 0 });
}

function put(document: Document, key: string, value: unknown): void {
  const there = document.get(key, true);
  if (value === null) document.delete(key);
  else if (LISTS.has(key) && Array.isArray(value) && isSeq(there)) {
    for (const entry of value) {
      const at = there.items.findIndex((item) => isMap(item) && isSame(item as YAMLMap, entry));
      const node = document.createNode(entry);
      if (at >= 0) there.items[at] = node;
      else there.items.push(node);
    }
  } else document.set(key, document.createNode(value));
}

const isSame = (item: YAMLMap, entry: unknown): boolean => {
  const { table, source } = (entry ?? {}) as { table?: unknown; source?: unknown };
  return item.get('table') === table && item.get('source') === source;
};
