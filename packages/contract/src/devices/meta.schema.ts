import { z } from 'zod';

/** Types a captured value may have. `log` and `keyword` are text; `discard` is read and dropped. */
export const expectType = z.enum(['keyword', 'log', 'integer', 'decimal', 'bool', 'date', 'discard']);
export type ExpectType = z.infer<typeof expectType>;

export const field = z.object({
  name: z.string().min(1).max(200),
  expect: expectType,
  meta: z.looseObject({ units: z.string().max(40).optional() }).optional(),
});
export type Field = z.infer<typeof field>;

/**
 * One unit of work the agent does. `fields` is the list itself, or a reference: a string without a full stop names a
 * top-level list of the meta, one with a full stop is `<table>.<source>` of another scenario of the same kind.
 */
export const scenario = z.looseObject({
  table: z.string().max(200),
  source: z.string().max(400),
  expect: z.union([expectType, z.literal('csv')]).optional(),
  fields: z.union([z.array(field), z.string()]).optional(),
  fieldAnchor: z.string().optional(),
});
export type Scenario = z.infer<typeof scenario>;

export const SCENARIO_KINDS = ['run', 'tail', 'watch', 'unix_socket', 'dynamic'] as const;
export type ScenarioKind = (typeof SCENARIO_KINDS)[number];

/** What the agent says it captures: its static scenarios, what it found (`dynamic`), and shared field lists by name. */
export const deviceMeta = z
  .object({
    timezone: z.string().optional(),
    run: z.array(scenario).default([]),
    tail: z.array(scenario).default([]),
    watch: z.array(scenario).default([]),
    unix_socket: z.array(scenario).default([]),
    dynamic: z.array(scenario).default([]),
    dynamic_tail: z.array(z.looseObject({ directory: z.string(), filename: z.string() })).default([]),
    run_dir: z
      .array(z.looseObject({ directory: z.string(), frequency: z.union([z.string(), z.number()]) }))
      .default([]),
  })
  .catchall(z.unknown());
export type DeviceMeta = z.infer<typeof deviceMeta>;

/**
 * The fields of a scenario with its reference resolved.
 *
 * Gaps: a reference that leads nowhere, or in a circle, gives an empty list.
 */
export function resolveFields(meta: DeviceMeta, kind: ScenarioKind, of: Scenario): Field[] {
  let fields: unknown = of.fields ?? of.fieldAnchor;
  for (let hops = 0; typeof fields === 'string' && hops < 8; hops++) {
    const reference = fields;
    const other = meta[kind].find((one) => `${one.table}.${one.source}` === reference);
    fields = other ? other.fields : meta[reference];
  }
  const parsed = z.array(field).safeParse(fields);
  return parsed.success ? parsed.data : [];
}
