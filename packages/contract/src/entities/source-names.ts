import type { Entity } from './entities.schema.ts';

/** Names of sources by `sourceKey`: that of the entity that is this source and nothing else. */
export function namesOfSources(
  entities: Iterable<Pick<Entity, 'name' | 'signals'>>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, signals } of entities) {
    const [only, ...others] = signals.sources;
    if (only && others.length === 0) names.set(sourceKey(only.deviceId, only.source), name);
  }
  return names;
}

export const sourceKey = (device: string, source: string): string => `${device.toLowerCase()} ${source}`;
