import { plainText } from '@albedo/plugin-kit/fields/field-value';
import {
  AttributeIds,
  BrowseDirection,
  browseAll,
  type ClientSession,
  NodeClass,
  VariantArrayType,
} from 'node-opcua-client';
import { typeName } from './opcua-value.ts';

const OBJECTS = 'i=85';
const DEEPEST = 10;
const MOST_VARIABLES = 2000;
const MOST_OBJECTS = 2000;
/** Name, class and so on of what a reference leads to. */
const ALL_RESULTS = 63;
const AT_ONCE = 100;

interface Found {
  path: string[];
  name: string;
  nodeId: string;
}

/**
 * The variables below Objects as lines of a configuration, without what the server says of itself.
 *
 * A server may have loops and no end: each object is visited once, to a limited depth and number.
 */
export async function browseLines(session: ClientSession, signal: AbortSignal): Promise<string[]> {
  const found = await variablesOf(session, signal);
  const lines: string[] = [];
  const names = new Set<string>();
  for (let at = 0; at < found.length && !signal.aborted; at += AT_ONCE) {
    const some = found.slice(at, at + AT_ONCE);
    const values = await session.read(
      some.map(({ nodeId }) => ({ nodeId, attributeId: AttributeIds.Value })),
    );
    for (const [index, { path, name, nodeId }] of some.entries()) {
      const value = values[index]?.value;
      const isList = value?.arrayType !== undefined && value.arrayType !== VariantArrayType.Scalar;
      const source = path.length > 0 ? `{ENDPOINT}/${path.join('/')}` : '';
      const unique = freeName(`${source}\n`, name, names);
      const type = isList ? 'keyword' : typeName(value?.dataType);
      lines.push(['opcua', source, unique, nodeId, type].map(quoted).join(', '));
    }
  }
  return lines;
}

async function variablesOf(session: ClientSession, signal: AbortSignal): Promise<Found[]> {
  const visited = new Set([OBJECTS]);
  const found: Found[] = [];
  let level: { nodeId: string; path: string[] }[] = [{ nodeId: OBJECTS, path: [] }];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { nodeId, path } of level) {
      if (signal.aborted || found.length >= MOST_VARIABLES || visited.size > MOST_OBJECTS) return found;
      const { references } = await browseAll(session, {
        nodeId,
        referenceTypeId: 'HierarchicalReferences',
        browseDirection: BrowseDirection.Forward,
        includeSubtypes: true,
        nodeClassMask: NodeClass.Object | NodeClass.Variable,
        resultMask: ALL_RESULTS,
      });
      for (const reference of references ?? []) {
        const id = reference.nodeId.toString();
        // What the standard itself defines is about the server, not about the plant.
        if (visited.has(id) || reference.nodeId.namespace === 0) continue;
        visited.add(id);
        const name = nameOf(plainText(reference.displayName.text ?? reference.browseName.name ?? id) || id);
        if (reference.nodeClass === NodeClass.Variable) found.push({ path, name, nodeId: id });
        else next.push({ nodeId: id, path: [...path, name.replaceAll('/', '-')] });
      }
    }
    level = next;
  }
  return found.slice(0, MOST_VARIABLES);
}

const nameOf = (text: string): string => text.replaceAll(/[\\"{}]/g, '').slice(0, 100) || '-';

function freeName(prefix: string, name: string, taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name} ${number}`;
    if (taken.has(prefix + free)) continue;
    taken.add(prefix + free);
    return free;
  }
}

const quoted = (cell: string): string => (/[",#\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
