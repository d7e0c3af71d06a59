import { type Dated, type EntityMeta, isDated, splitRef } from './entities.schema.ts';

/** The metadata of a source, by its name; undefined where the device or the source is gone. */
export type RefReader = (deviceId: string, source: string) => Readonly<Record<string, unknown>> | undefined;

/**
 * The metadata of an entity as it counts on a day (ISO date, such as `2026-03-01`): values that hold from a date are the
 * one of that day, `$ref` is what the source says now, under whatever the entity says itself. What leads nowhere is left
 * out.
 */
export function metaAt(
  meta: Readonly<EntityMeta>,
  day: string,
  read: RefReader = () => undefined,
): Record<string, unknown> {
  const found: Record<string, unknown> = { ...referred(meta, read) };
  for (const [key, value] of Object.entries(meta)) {
    if (key === '$ref') continue;
    const counts = isDated(value) ? valueOn(value, day) : value;
    const isRef = typeof counts === 'object' && counts !== null && '$ref' in counts;
    const resolved = isRef ? referred(counts as Record<string, unknown>, read) : counts;
    if (resolved !== undefined) found[key] = resolved;
  }
  return found;
}

const valueOn = (values: readonly Dated[], day: string): unknown => holdingOn(values, day)?.value;

/** The one of several dated values that counts on a day. Days as text are in their order. */
export const holdingOn = (values: readonly Dated[], day: string): Dated | undefined =>
  values
    .filter(({ from }) => from === null || from <= day)
    .toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))
    .at(-1);

function referred(meta: Readonly<Record<string, unknown>>, read: RefReader) {
  const place = splitRef(meta.$ref);
  return place ? read(place.deviceId, place.source) : undefined;
}
