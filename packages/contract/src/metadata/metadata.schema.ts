import { z } from 'zod';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { freeKey } from '../http/reserved-names.ts';

const ownIssue = issuesOf(generalIssues);

/** What the metadata of one source may have. */
const SOURCE_FIELDS = 100;

/** What people say of a thing: texts by key. */
export type Info = Record<string, string>;

/** The metadata of one source; a text that is empty says nothing. */
export const sourceInfo = z
  .record(freeKey(80).regex(...ONE_LINE), z.string().trim().max(500))
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
export type InfoLevel = keyof typeof INFO_KEYS;

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
