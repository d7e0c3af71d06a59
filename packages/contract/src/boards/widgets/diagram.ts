import { z } from 'zod';
import { generalIssues, issuesOf } from '../../http/issues.ts';
import { boardsIssues } from '../boards.errors.ts';
import { boardStream } from '../streams.schema.ts';
import { decimals, label, link, thresholds, unit } from './parts.ts';
import { widgetSchema } from './widget-schema.ts';

const ownIssue = issuesOf({ ...generalIssues, ...boardsIssues });

/** What one diagram may hold. */
export const DIAGRAM_LIMITS = { nodes: 80, edges: 160 } as const;

/** What can stand in a diagram: parts of a single line, then those of piping, then what fits both. */
export const DIAGRAM_SYMBOLS = [
  'sun',
  'panels',
  'wind',
  'generator',
  'inverter',
  'battery',
  'transformer',
  'breaker',
  'meter',
  'bus',
  'grid',
  'load',
  'charger',
  'tank',
  'pump',
  'valve',
  'pipe',
  'exchanger',
  'sensor',
] as const;
export type DiagramSymbol = (typeof DIAGRAM_SYMBOLS)[number];

const partId = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[\w-]+$/);

const node = z.strictObject({
  id: partId,
  symbol: z.enum(DIAGRAM_SYMBOLS),
  name: label.default(''),
  /** The value beside it. Of a breaker or valve 0 is open or shut; of a tank it is the level, %. */
  stream: boardStream.optional(),
  unit,
  decimals,
  thresholds,
  /** Its top left corner, in units of the diagram; what has no place is put in order with the rest. */
  x: z.number().min(-10_000).max(10_000).optional(),
  y: z.number().min(-10_000).max(10_000).optional(),
});
export type DiagramNode = z.output<typeof node>;

const edge = z.strictObject({
  id: partId,
  from: partId,
  to: partId,
  /** What flows: forwards where it is positive, backwards where negative. */
  stream: boardStream.optional(),
  /** Positive is backwards, as where a meter stands the other way round. */
  isReversed: z.boolean().optional(),
  /** Values up to here, either way, are noise: nothing flows. In the unit of the stream. */
  idle: z.number().min(0).default(0),
});
export type DiagramEdge = z.output<typeof edge>;

const drawing = z
  .strictObject({
    nodes: z.array(node).max(DIAGRAM_LIMITS.nodes).default([]),
    edges: z.array(edge).max(DIAGRAM_LIMITS.edges).default([]),
    /** Which way parts without places stand in order. */
    direction: z.enum(['right', 'down']).default('right'),
  })
  .superRefine(({ nodes, edges }, context) => {
    const ids = new Set<string>();
    for (const [at, { id }] of nodes.entries()) {
      if (ids.has(id)) context.addIssue(ownIssue(['nodes', String(at), 'id'], 'issue.twice'));
      ids.add(id);
    }
    const edgeIds = new Set<string>();
    for (const [at, one] of edges.entries()) {
      const place = (part: string) => ['edges', String(at), part];
      if (edgeIds.has(one.id)) context.addIssue(ownIssue(place('id'), 'issue.twice'));
      edgeIds.add(one.id);
      for (const end of ['from', 'to'] as const)
        if (!ids.has(one[end])) context.addIssue(ownIssue(place(end), 'issue.diagram_end', { id: one[end] }));
      if (one.from === one.to) context.addIssue(ownIssue(place('to'), 'issue.diagram_loop'));
    }
  });
export type Drawing = z.output<typeof drawing>;

/** A single line, or piping: parts with their newest values, and between them what flows, and in which direction. */
export const diagramWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({ drawing: drawing.prefault({}), link }),
});
