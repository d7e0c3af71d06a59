import { type Dated, type EntityMeta, isDated, splitRef } from './entities.schema.ts';

/** The metadata of a source, by its name; undefined where the device or the source is gone, or hidden from the reader. */
export type RefReader = (deviceId: string, source: string) => Readonly<EntityMeta> | undefined;

type Fact = EntityMeta[string];

/**
 * The metadata of an entity with what each `$ref` leads to in its place: what the source says now, under whatever the entity
 * says itself. What leads nowhere is left out.
 */
export function withRefs(meta: Readonly<EntityMeta>, read: RefReader): EntityMeta {
  const { $ref, ...own } = meta;
  const found: EntityMeta = { ...referred($ref, read) };
  for (const [key, value] of Object.entries(own)) {
    const counts = isDated(value)
      ? value.map((one) => ({ ...one, value: resolvedValue(one.value as Fact, read) ?? null }))
      : resolvedValue(value, read);
    if (counts !== undefined) found[key] = counts;
  }
  return found;
}

/** The metadata of an entity as it counts on a day (ISO date, such as `2026-03-01`). */
export const metaAt = (meta: Readonly<EntityMeta>, day: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(meta).flatMap(([key, value]) => {
      const counts = isDated(value) ? holdingOn(value, day)?.value : value;
      return counts === undefined ? [] : [[key, counts]];
    }),
  );

/** The one of several dated values that counts on a day. Days as text are in their order. */
export const holdingOn = (values: readonly Dated[], day: string): Dated | undefined =>
  values
    .filter(({ from }) => from === null || from <= day)
    .toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))
    .at(-1);

/** One value, or what it refers to. */
function resolvedValue(value: Fact, read: RefReader): Fact | undefined {
  const isRef = typeof value === 'object' && value !== null && '$ref' in value;
  return isRef ? referred(value.$ref, read) : value;
}

function referred(ref: unknown, read: RefReader) {
  const place = splitRef(ref);
  return place ? read(place.deviceId, place.source) : undefined;
}
