import type { DiagramNode, Drawing } from '@albedo/contract/boards/widgets/diagram';
import { Graph, layout } from '@dagrejs/dagre';

/** A part with its value and name below it, in units of the diagram. */
export const PART = { width: 104, height: 92 } as const;

export interface At {
  x: number;
  y: number;
}

/** Where parts stand, by their ids: as somebody placed them; where one has no place, all are put in order. */
export function placesOf(
  { nodes, edges, direction }: Drawing,
  isDown = direction === 'down',
): Map<string, At> {
  if (hasPlaces(nodes)) return new Map(nodes.map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
  const graph = new Graph<object, { width: number; height: number } & At, object>();
  const [along, across] = isDown ? [34, 16] : [26, 20];
  graph.setGraph({ rankdir: isDown ? 'TB' : 'LR', ranksep: along, nodesep: across });
  for (const { id } of nodes) graph.setNode(id, { ...PART, x: 0, y: 0 });
  for (const { from, to } of edges) graph.setEdge(from, to, {});
  layout(graph);
  return new Map(
    nodes.map(({ id }) => {
      const { x, y } = graph.node(id);
      return [id, { x: Math.round(x - PART.width / 2), y: Math.round(y - PART.height / 2) }];
    }),
  );
}

export const hasPlaces = (nodes: readonly DiagramNode[]): boolean =>
  nodes.every(({ x, y }) => x !== undefined && y !== undefined);

/** The room that parts take. */
export function boundsOf(places: ReadonlyMap<string, At>): At & { width: number; height: number } {
  const all = [...places.values()];
  if (all.length === 0) return { x: 0, y: 0, ...PART };
  const [x, y] = [Math.min(...all.map((one) => one.x)), Math.min(...all.map((one) => one.y))];
  return {
    x,
    y,
    width: Math.max(...all.map((one) => one.x)) - x + PART.width,
    height: Math.max(...all.map((one) => one.y)) - y + PART.height,
  };
}
