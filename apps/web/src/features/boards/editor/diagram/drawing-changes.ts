import type {
  DiagramEdge,
  DiagramNode,
  DiagramSymbol,
  Drawing,
} from '@albedo/contract/boards/widgets/diagram';
import { type At, boundsOf, hasPlaces, PART, placesOf } from '../../widgets/diagram/arrange.ts';

/** What is chosen on the sheet. */
export type Chosen = { kind: 'part' | 'line'; id: string } | null;

/** An id that no other part or line has. */
const freeId = (taken: readonly { id: string }[], start: string): string => {
  const ids = new Set(taken.map(({ id }) => id));
  for (let number = 1; ; number++) if (!ids.has(`${start}-${number}`)) return `${start}-${number}`;
};

/** With one more part, to the right of all where parts have places; behind `after` it is connected too. */
export function withPart(drawing: Drawing, symbol: DiagramSymbol, after: string | null): [Drawing, string] {
  const id = freeId(drawing.nodes, symbol);
  const bounds = boundsOf(placesOf(drawing));
  const place =
    drawing.nodes.length > 0 && hasPlaces(drawing.nodes)
      ? { x: bounds.x + bounds.width + 40, y: bounds.y + bounds.height / 2 - PART.height / 2 }
      : {};
  const next = { ...drawing, nodes: [...drawing.nodes, { id, symbol, name: '', thresholds: [], ...place }] };
  return [after === null ? next : withLine(next, after, id)[0], id];
}

/** With a line between two parts; where there is one already, that one. */
export function withLine(drawing: Drawing, from: string, to: string): [Drawing, string] {
  const there = drawing.edges.find(
    (one) => (one.from === from && one.to === to) || (one.from === to && one.to === from),
  );
  if (there || from === to) return [drawing, there?.id ?? ''];
  const id = freeId(drawing.edges, 'line');
  return [{ ...drawing, edges: [...drawing.edges, { id, from, to, idle: 0 }] }, id];
}

/** Without a part and its lines, or without a line. */
export function without(drawing: Drawing, { kind, id }: NonNullable<Chosen>): Drawing {
  if (kind === 'line') return { ...drawing, edges: drawing.edges.filter((one) => one.id !== id) };
  return {
    ...drawing,
    nodes: drawing.nodes.filter((one) => one.id !== id),
    edges: drawing.edges.filter(({ from, to }) => from !== id && to !== id),
  };
}

/** With a part somewhere else; all others stay where they are seen. */
export function movedPart(drawing: Drawing, id: string, to: At): Drawing {
  const places = placesOf(drawing);
  return {
    ...drawing,
    nodes: drawing.nodes.map((one) => {
      const { x, y } = one.id === id ? to : (places.get(one.id) ?? { x: 0, y: 0 });
      return { ...one, x: Math.round(x), y: Math.round(y) };
    }),
  };
}

/** With places that follow from the lines again. */
export const inOrder = (drawing: Drawing): Drawing => ({
  ...drawing,
  nodes: drawing.nodes.map(({ x: _x, y: _y, ...rest }) => rest),
});

export const changedPart = (drawing: Drawing, id: string, change: Partial<DiagramNode>): Drawing => ({
  ...drawing,
  nodes: drawing.nodes.map((one) => (one.id === id ? pruned({ ...one, ...change }) : one)),
});

export const changedLine = (drawing: Drawing, id: string, change: Partial<DiagramEdge>): Drawing => ({
  ...drawing,
  edges: drawing.edges.map((one) => (one.id === id ? pruned({ ...one, ...change }) : one)),
});

/** Without what is undefined, which a board cannot keep. */
const pruned = <T extends object>(of: T): T =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as T;
