import { z } from 'zod';
import { ALL_RESOURCES } from '../access/resources.ts';
import { changedVersion } from '../history/history.schema.ts';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { freeKey } from '../http/reserved-names.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { entitiesIssues } from './entities.errors.ts';

const ownIssue = issuesOf({ ...generalIssues, ...entitiesIssues });

/** What one entity and one request may hold. */
export const ENTITY_LIMITS = {
  /** Levels of the tree. */
  depth: 32,
  labels: 100,
  /** Of each kind. */
  signals: 1000,
  /** Entities that one request changes. */
  changes: 5000,
  /** Meta, settings and each set of signals, as JSON. */
  jsonBytes: 65_536,
} as const;

/** Days for which what was deleted can be restored. */
export const RESTORABLE_DAYS = 30;

/** Chosen by the client, or by the server where the client says none. Opaque; names change, ids never do. */
export const entityId = z
  .string()
  .min(1, 'Required')
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]*$/, entitiesIssues['issue.entity_id'])
  .refine((id) => id.toLowerCase() !== ALL_RESOURCES, entitiesIssues['issue.entity_id']);

const line = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(200)
  .regex(...ONE_LINE);

/** Parts of an address inside the telemetry, as devices send them. */
const table = z.string().min(1).max(200);
const source = z.string().max(400);
const field = z.string().min(1).max(200);

/** All that a device sends under one source; without a table, in all tables. */
export const sourceSignal = z.object({ deviceId: z.uuid(), source, table: table.optional() });
export type SourceSignal = z.output<typeof sourceSignal>;

export const fieldSignal = z.object({ deviceId: z.uuid(), table, source, field });
export type FieldSignal = z.output<typeof fieldSignal>;

/** What a calculation writes into a table, as if it were a source. */
export const calculationSignal = z.object({
  calculation_id: z.string().min(1).max(200),
  table,
  source,
  fields: z.array(field).max(200),
});
export type CalculationSignal = z.output<typeof calculationSignal>;

/** From this value on, the color counts. */
const threshold = z.object({
  value: z.number(),
  color: z.string().min(1).max(40),
  label: line.optional(),
});

/** How a field of the entity is shown; without a source, that of every source. */
export const fieldConfig = z.object({
  table,
  field,
  source: source.optional(),
  name: line.optional(),
  units: z.string().trim().max(40).optional(),
  decimals: z.number().int().min(0).max(10).optional(),
  thresholds: z.array(threshold).max(20).optional(),
});
export type FieldConfig = z.output<typeof fieldConfig>;

/** Reports whose fixed list of roles an entity maps to its own fields. */
export const SIGNAL_SETS = ['daily-energy', 'perf-ratio', 'inverter-performance', 'meter-codes'] as const;
export type SignalSet = (typeof SIGNAL_SETS)[number];

/** What a body can hold, which is JSON by then. */
type Json = z.core.util.JSONType;
const anyJson = z.unknown() as unknown as z.ZodType<Json, Json>;

function notTooLarge(value: unknown, context: z.core.$RefinementCtx): void {
  if (value !== undefined && JSON.stringify(value).length > ENTITY_LIMITS.jsonBytes)
    context.addIssue(ownIssue([], 'issue.entity_json', { max: String(ENTITY_LIMITS.jsonBytes) }));
}

const json = anyJson.superRefine(notTooLarge);

const several = <T extends z.ZodType>(one: T) => z.array(one).max(ENTITY_LIMITS.signals).default([]);

/** What an entity has of the data: whole sources, single fields, what calculations write, and what reports ask for. */
export const signals = z.object({
  sources: several(sourceSignal),
  fields: several(fieldSignal),
  calculationFields: several(calculationSignal),
  'daily-energy': json.optional(),
  'perf-ratio': json.optional(),
  'inverter-performance': json.optional(),
  'meter-codes': json.optional(),
  fieldConfig: several(fieldConfig),
} satisfies Record<SignalSet, z.ZodType> & Record<string, z.ZodType>);
export type Signals = z.output<typeof signals>;
export const NO_SIGNALS: Signals = signals.parse({});

const settings = z.record(freeKey(100), anyJson).superRefine(notTooLarge);

/**
 * Facts by name, as calculations and people read them: `{ kWp: 61.6 }`. A list of `{ from, value }` is a value that holds
 * from a day on. `$ref` with the text `device.source` reads the facts of that source, live (`metaAt`).
 */
export const entityMeta = z
  .record(freeKey(200), anyJson, {
    // A key has its own sentence.
    error: ({ code }) => (code === 'invalid_type' ? entitiesIssues['issue.meta_object'] : undefined),
  })
  .superRefine((meta, context) => {
    notTooLarge(meta, context);
    for (const { path, ref } of refsIn(meta))
      if (splitRef(ref) === null) context.addIssue(ownIssue(path, 'issue.ref_form'));
    for (const [key, value] of Object.entries<unknown>(meta))
      if (isDated(value))
        for (const [at, { from }] of value.entries())
          if (from !== null && !isDay(from))
            context.addIssue(ownIssue([key, String(at), 'from'], 'issue.day'));
  });
export type EntityMeta = z.output<typeof entityMeta>;

/** A value that holds from a day on; null for what held before all others. */
export interface Dated {
  from: string | null;
  value: unknown;
}

export const isDated = (value: unknown): value is Dated[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => typeof one === 'object' && one !== null && 'from' in one && 'value' in one);

/** A day, or an instant of it. */
const isDay = (from: unknown): boolean =>
  typeof from === 'string' && /^\d{4}-\d{2}-\d{2}($|T)/.test(from) && !Number.isNaN(Date.parse(from));

/** Every `$ref` of some metadata, with where it stands. */
export function refsIn(meta: unknown, path: string[] = []): { path: string[]; ref: unknown }[] {
  if (typeof meta !== 'object' || meta === null || path.length > 8) return [];
  return Object.entries(meta).flatMap(([key, value]) =>
    key === '$ref' ? [{ path: [...path, key], ref: value }] : refsIn(value, [...path, key]),
  );
}

/** The first full stop separates the device from the source, whose name may have more of them. */
export function splitRef(ref: unknown): { deviceId: string; source: string } | null {
  if (typeof ref !== 'string') return null;
  const at = ref.indexOf('.');
  const [deviceId, name] = [ref.slice(0, at), ref.slice(at + 1)];
  return at > 0 && name !== '' && z.uuid().safeParse(deviceId).success ? { deviceId, source: name } : null;
}

/**
 * A label that the setting `labels` does not hold is accepted: a bare string is its own id, so an entity may come before
 * its label is described, and stays as it is when that is deleted. It shows as its id.
 */
const labels = z
  .array(freeKey(200))
  .max(ENTITY_LIMITS.labels)
  .refine((ids) => new Set(ids).size === ids.length, 'Each entry can appear only once.');

const parts = {
  name: line,
  /** Null at the top of the tree. */
  parent: entityId.nullable(),
  /** Ids of labels; their names and colors are in the setting `labels`. */
  labels,
  machine: z.uuid().nullable(),
  meta: entityMeta,
  signals,
  settings,
};

/** An entity as it is made. */
export const newEntity = z.object({
  _id: entityId.optional(),
  ...parts,
  parent: parts.parent.default(null),
  labels: parts.labels.default([]),
  machine: parts.machine.default(null),
  meta: parts.meta.default({}),
  signals: parts.signals.default(NO_SIGNALS),
  settings: parts.settings.default({}),
});
export type NewEntity = z.output<typeof newEntity>;

/** What is left out stays as it is. */
export const entityChange = z.object(parts).partial().extend({ version: changedVersion });
export type EntityChange = z.output<typeof entityChange>;

/** Changes of several entities, saved whole or not at all. */
export const entityChanges = z.object({
  changes: z
    .array(entityChange.extend({ _id: entityId }))
    .min(1)
    .max(ENTITY_LIMITS.changes)
    .refine(
      (all) => new Set(all.map(({ _id }) => _id)).size === all.length,
      'Each entry can appear only once.',
    ),
});

/**
 * One node of the tree. `children` are ids, by name. `isNameOnly`: the caller sees nothing of it but its name, because a
 * device group shows only entities below it.
 */
export const entity = z.object({
  _id: z.string(),
  name: z.string(),
  parent: z.string().nullable(),
  labels: z.array(z.string()),
  machine: z.string().nullable(),
  children: z.array(z.string()),
  meta: z.record(z.string(), anyJson),
  signals,
  settings: z.record(z.string(), anyJson),
  /** Counts the saves. */
  version: z.number().int(),
  isNameOnly: z.boolean().optional(),
});
export type Entity = z.output<typeof entity>;

export const onEntity = inWorkgroup.extend({ entity: z.string().min(1).max(200) });
export const onEntitySetting = onEntity.extend({ key: freeKey(100) });
export const newEntitySetting = z.object({ key: freeKey(100), value: json });
export const entitySettingValue = z.object({ value: json });

/** Something else that uses an entity, and shows nothing any more without it. */
export const entityUse = z.object({
  /** What kind of thing it is, such as `dashboard` or `kpi`. */
  kind: z.string(),
  id: z.string(),
  name: z.string(),
});
export type EntityUse = z.output<typeof entityUse>;

/** What goes with an entity when it is deleted. */
export const entityImpact = z.object({
  /** It and everything below it. */
  entities: z.array(z.object({ _id: z.string(), name: z.string() })),
  uses: z.array(entityUse),
});
export type EntityImpact = z.output<typeof entityImpact>;

/** Entities that were deleted together, and can still be restored. Instants are epoch ms. */
export const entityDeletion = z.object({
  _id: z.uuid(),
  /** Name of the entity at the top of what was deleted. */
  name: z.string(),
  count: z.number().int(),
  deletedAt: z.number(),
  deletedBy: z.string(),
  restorableUntil: z.number(),
});
export type EntityDeletion = z.output<typeof entityDeletion>;
export const onEntityDeletion = inWorkgroup.extend({ deletion: z.uuid() });
