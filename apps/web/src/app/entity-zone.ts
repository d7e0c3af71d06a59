import type { KnownWorld } from './entity-world-query.ts';

/** The zone that the metadata of an entity name, or those of the nearest one above it; null where none does. */
export function zoneOf({ byId }: Pick<KnownWorld, 'byId'>, entityId: string): string | null {
  const seen = new Set<string>();
  for (let one = byId.get(entityId); one && !seen.has(one._id); one = byId.get(one.parent ?? '')) {
    seen.add(one._id);
    for (const name of ['timezone', 'Timezone', 'timeZone', 'zone']) {
      const zone = one.meta[name];
      if (typeof zone === 'string' && isZone(zone)) return zone;
    }
  }
  return null;
}

function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    // The runtime knows no such zone.
    return false;
  }
}
