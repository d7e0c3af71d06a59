import { CODE_LIMITS } from '@albedo/contract/as-code/as-code.schema';
import {
  Document,
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
} from 'yaml';
import { invalid } from '../errors/request-issues.ts';

/** Keys that would reach into what every object inherits. */
const NO_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** As people read it; each thing stands by itself, without anchors. */
export function writeYaml(content: unknown, comment: string): string {
  const document = new Document(content, { aliasDuplicateObjects: false });
  document.commentBefore = ` ${comment}`;
  return document.toString({ lineWidth: 100, flowCollectionPadding: false });
}

/**
 * What a text of YAML says, as plain values; nothing of it can grow (anchors), become an object of another kind (tags)
 * or reach what objects inherit. Throws `request.invalid` with the line.
 */
export function readYaml(text: string): unknown {
  const lines = new LineCounter();
  const fault = (
    issue: Parameters<typeof invalid>[0],
    node: { range?: readonly number[] | null },
    facts = {},
  ) => invalid(issue, { line: String(lines.linePos(node.range?.[0] ?? 0).line), ...facts }, 'yaml');
  try {
    // Keys are compared below: the library compares each with each.
    const document = parseDocument(text, {
      // Silent, it would pass over a second document.
      ...{ uniqueKeys: false, prettyErrors: false, logLevel: 'error', lineCounter: lines },
      ...{ version: '1.2', schema: 'core', merge: false, stringKeys: false, resolveKnownTags: false },
    });
    const demandNone = ([error]: readonly YAMLError[]) => {
      if (error?.code === 'RESOURCE_EXHAUSTION') throw new RangeError(error.message);
      if (error)
        throw fault('issue.yaml_syntax', { range: error.pos }, { what: error.message.slice(0, 300) });
    };
    demandNone(document.errors);
    const value = plain(document.contents, fault, 0);
    demandNone(document.warnings);
    return value;
  } catch (error) {
    // What is nested without end exhausts whoever reads it.
    if (error instanceof RangeError)
      throw invalid('issue.yaml_deep', { max: String(CODE_LIMITS.depth) }, 'yaml');
    throw error;
  }
}

type Fault = (
  issue: Parameters<typeof invalid>[0],
  node: { range?: readonly number[] | null },
  facts?: Record<string, string>,
) => Error;

function plain(node: Node | null, fault: Fault, depth: number): unknown {
  if (node === null) return null;
  if (depth > CODE_LIMITS.depth) throw invalid('issue.yaml_deep', { max: String(CODE_LIMITS.depth) }, 'yaml');
  if (isAlias(node) || ('anchor' in node && node.anchor)) throw fault('issue.yaml_alias', node);
  if (node.tag) throw fault('issue.yaml_tag', node, { tag: node.tag.slice(0, 80) });
  if (isScalar(node)) return plainScalar(node, fault);
  if (!isMap(node)) {
    const { items } = node as unknown as { items: (Node | null)[] };
    return items.map((one) => plain(one, fault, depth + 1));
  }
  const all = new Map<string, unknown>();
  for (const pair of node.items) {
    const key = pair.key as Node | null;
    const name = key === null || !isScalar(key) ? null : keyOf(key.value);
    const where = key ?? node;
    if (key && 'anchor' in key && key.anchor) throw fault('issue.yaml_alias', key);
    if (name === null || NO_KEYS.has(name))
      throw fault('issue.yaml_key', where, { key: (name ?? String(key)).slice(0, 80) });
    demandStorable(name, where, fault);
    if (all.has(name)) throw fault('issue.yaml_twice', where, { key: name.slice(0, 80) });
    all.set(name, plain(pair.value as Node | null, fault, depth + 1));
  }
  return Object.fromEntries(all);
}

const keyOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;

function plainScalar(node: Node & { value: unknown }, fault: Fault): unknown {
  const { value } = node;
  // JSON has no such numbers.
  if (typeof value === 'number' && !Number.isFinite(value))
    throw fault('issue.yaml_syntax', node, { what: String(value) });
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') demandStorable(value, node, fault);
  return value;
}

/** Escapes can say what no store keeps; the text of the request itself has passed. */
function demandStorable(text: string, node: Node, fault: Fault): void {
  if (text.includes('\0') || !text.isWellFormed()) throw fault('issue.yaml_text', node);
}
