import type { Postgres } from '@albedo/postgres/postgres';
import type { Feature } from '../house/feature.ts';
import { RegistryStore } from './registry.store.ts';
import { DeviceRegistry } from './registry.ts';

/** Which devices exist and whose they are. */
export function openRegistry({ postgres }: { postgres: Postgres }): Feature<DeviceRegistry> {
  const registry = new DeviceRegistry(new RegistryStore(postgres));
  return {
    name: 'registry',
    service: registry,
    metrics: (metrics) => metrics.gauge('albedo_devices', 'Devices.', () => registry.size),
    start: () => registry.start(),
  };
}
