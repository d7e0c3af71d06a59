import { z } from 'zod';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { freeKey, isRowColumn } from '../http/reserved-names.ts';
import { METADATA_FILE } from './metadata.names.ts';

const ownIssue = issuesOf(generalIssues);

/** What the metadata of one source may have. */
const SOURCE_FIELDS = 100;

/** How long a value may be, and the name of a field. */
export const INFO_LENGTH = { name: 80, value: 500 } as const;

/** What people say of a thing: texts by key. */
export type Info = Record<string, string>;

/** The metadata of one source; a text that is empty says nothing. */
export const sourceInfo = z
  .record(freeKey(INFO_LENGTH.name).regex(...ONE_LINE), z.string().trim().max(INFO_LENGTH.value))
  .superRefine((info, context) => {
    if (Object.keys(info).length > SOURCE_FIELDS)
      context.addIssue(ownIssue([], 'issue.too_many', { max: String(SOURCE_FIELDS) }));
  });

export const sourceName = freeKey(400);

/** The metadata of sources by the name of the source, as the setting `sourceInfo` of a device holds it. */
export const sourceInfos = z.record(sourceName, sourceInfo);

/** Fields that some metadata has: how many devices or sources say something in it, and what one of them says. */
export const fieldInUse = z.object({
  name: z.string(),
  count: z.number().int(),
  example: z.string(),
});
export type FieldInUse = z.infer<typeof fieldInUse>;

export const metadataInUse = z.object({
  /** Number of devices. */
  devices: z.number().int(),
  deviceFields: z.array(fieldInUse),
  /** Number of sources that have metadata. */
  sources: z.number().int(),
  sourceFields: z.array(fieldInUse),
});
export type MetadataInUse = z.infer<typeof metadataInUse>;

/** The setting `info` of a device, or the metadata of one source, as texts by field. */
export function infoOf(setting: unknown): Info {
  if (typeof setting !== 'object' || setting === null || Array.isArray(setting)) return {};
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  return Object.fromEntries(
    Object.entries(setting).flatMap(([field, value]) => (isPlain(value) ? [[field, String(value)]] : [])),
  );
}

/** The setting `sourceInfo` of a device: the metadata of each source that has some. */
export function sourceInfosOf(setting: unknown): Record<string, Info> {
  if (typeof setting !== 'object' || setting === null || Array.isArray(setting)) return {};
  return Object.fromEntries(
    Object.entries(setting)
      .map(([source, info]) => [source, infoOf(info)] as const)
      .filter(([, info]) => Object.keys(info).length > 0),
  );
}

/** Settings of a workgroup that say which fields are shown, in their order. Source: specification 2, section 3. */
export const INFO_KEYS = { device: 'deviceInfoKeys', source: 'sourceInfoKeys' } as const;
export const infoLevel = z.enum(['device', 'source']);
export type InfoLevel = z.infer<typeof infoLevel>;

export function infoKeys(settings: Readonly<Record<string, unknown>>, level: InfoLevel): string[] {
  const keys = settings[INFO_KEYS[level]];
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

/**
 * What is shown of some metadata: the chosen fields in their order, whether or not they say something, and what else
 * there is. Without a choice all of it is shown.
 */
export function shownInfo(info: Info, keys: readonly string[]): { shown: Entry[]; others: Entry[] } {
  const all = Object.entries(info);
  if (keys.length === 0) return { shown: all, others: [] };
  const chosen = new Set(keys);
  return {
    shown: keys.map((key) => [key, (Object.hasOwn(info, key) && info[key]) || null]),
    others: all.filter(([key]) => !chosen.has(key)),
  };
}

/** A field and what it says; null where it says nothing. */
export type Entry = readonly [field: string, text: string | null];

/** What is said of one device, or of one of its sources; `source` is empty for the device itself. */
export const metadataRow = z.object({
  id: z.uuid(),
  name: z.string(),
  source: z.string(),
  info: z.record(z.string(), z.string()),
});
export type MetadataRow = z.infer<typeof metadataRow>;

/** A file as it was read; every column but `ROW_COLUMNS` is a field. Rows have a cell for each column and their number in the file. */
export const metadataFile = z.object({
  level: infoLevel,
  columns: z.array(z.string().max(200)).max(METADATA_FILE.columns),
  rows: z
    .array(z.object({ row: z.number().int().min(1), cells: z.array(z.string().max(10_000)) }))
    .max(METADATA_FILE.rows),
});
export type MetadataFile = z.infer<typeof metadataFile>;

/** What keeps a file from being taken; `row` is null where it is about the file. */
const metadataFault = z.object({
  row: z.number().int().nullable(),
  message: z.string(),
  issue: z.string(),
  facts: z.record(z.string(), z.string()),
});
export type MetadataFault = z.infer<typeof metadataFault>;

/** One value that becomes another one; empty where there is none. */
const metadataChange = z.object({
  id: z.uuid(),
  name: z.string(),
  source: z.string(),
  field: z.string(),
  before: z.string(),
  after: z.string(),
});

/** Names of devices, at most so many of `count`. */
const someDevices = z.object({ count: z.number().int(), names: z.array(z.string()) });

/** Which devices a device group gains and loses. */
const groupMoves = z.object({ group: z.string(), gains: someDevices, loses: someDevices });

/** What a file would do. With faults nothing of it can be applied. */
export const metadataPlan = z.object({
  rows: z.number().int(),
  /** Devices or sources with another value, and how many values that are. */
  changed: z.number().int(),
  values: z.number().int(),
  /** The first of all faults and changes. */
  faults: z.array(metadataFault),
  faultCount: z.number().int(),
  changes: z.array(metadataChange),
  moves: z.array(groupMoves),
});
export type MetadataPlan = z.infer<typeof metadataPlan>;

export const fieldRename = z.object({
  level: infoLevel,
  name: z
    .string()
    .max(200)
    .regex(...ONE_LINE),
  to: freeKey(INFO_LENGTH.name)
    .regex(...ONE_LINE)
    .refine((name) => !isRowColumn(name), generalIssues['issue.name_reserved']),
});
export type FieldRename = z.infer<typeof fieldRename>;
