import { z } from 'zod';
import { FIELD_ROLE_NAMES, SOURCE_KINDS } from '../field-roles/field-roles.ts';

/** How a field of a source is read: what it is called, its unit, and its role with the scale that leads to the role's unit. */
const knownField = z.object({
  name: z.string(),
  units: z.string().nullable(),
  role: z.enum(FIELD_ROLE_NAMES).nullable(),
  /** `value * factor + offset` is in the unit of the role. */
  factor: z.number(),
  offset: z.number(),
});

/** A source that has sent something, or a calculation that has written something, with its id in place of the device. */
export const knownSource = z.object({
  deviceId: z.string(),
  table: z.string(),
  source: z.string(),
  kind: z.enum(SOURCE_KINDS),
  fields: z.array(knownField),
  /** The ids of its labels and of those of the sources it stands below. */
  labels: z.array(z.string()).optional(),
  /** Of a calculation: the entity that it is about, which has these streams without naming them. */
  entity: z.string().optional(),
});
export type KnownSource = z.output<typeof knownSource>;

/**
 * Over which entities streams are looked for, seen from one:
 * `self`, `path` (names of children, from the top down), `children`, `descendants` (the entity with everything below it),
 * `label` (entities with the label among them).
 */
export const DESCENDANT_STRATEGIES = ['self', 'path', 'children', 'descendants', 'label'] as const;
export type DescendantStrategy = (typeof DESCENDANT_STRATEGIES)[number];

const over = {
  /** One of `DESCENDANT_STRATEGIES`; anything else answers `Unknown descendant strategy: {x}`. */
  over: z
    .string()
    .max(80)
    .default('self' satisfies DescendantStrategy),
  /** For `path`. */
  path: z.array(z.string().min(1).max(200)).max(32).optional(),
  /** For `label`: its id. */
  label: z.string().max(200).optional(),
  /** Only sources with this label, which may be that of a source above; its id. */
  sourceLabel: z.string().max(200).optional(),
};

/** Which streams: a table and field as they are, or a role whatever its field is called. */
export const streamSelector = z.union([
  z.object({ ...over, role: z.enum(FIELD_ROLE_NAMES) }),
  z.object({ ...over, table: z.string().min(1).max(200), field: z.string().min(1).max(200) }),
]);
export type StreamSelector = z.output<typeof streamSelector>;

/** One stream of an entity. */
export const entityStream = z.object({
  /** Id of the entity whose stream it is. */
  entity: z.string(),
  /** Id of the device, or of the calculation that writes it. */
  deviceId: z.string(),
  table: z.string(),
  source: z.string(),
  field: z.string(),
  /** Unit of the values as they are stored; null where nothing says it. */
  units: z.string().nullable(),
  /** With a role: `value * factor + offset` is in the unit of the role. Otherwise 1 and 0. */
  factor: z.number(),
  offset: z.number(),
});
export type EntityStream = z.output<typeof entityStream>;
