import { plantsApi } from '@albedo/contract/plants/plants.api';
import type { Postgres } from '@albedo/postgres/postgres';
import { callerOf } from '../access/caller.ts';
import { hear } from '../bus/bus.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { eventsLate } from '../ingest/ingest.topics.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { Plants } from './plants.service.ts';
import { PlantsStore } from './plants.store.ts';

/** Plants among the devices: power, energy, light, and what is wrong. */
export function openPlants(of: {
  postgres: Postgres;
  telemetry: Telemetry;
  registry: DeviceRegistry;
  roles: FieldRoles;
}): Feature<Plants> {
  const { postgres, telemetry, registry, roles } = of;
  const plants = new Plants({ store: new PlantsStore(postgres), telemetry, registry, roles });
  return {
    name: 'plants',
    service: plants,
    hears: [hear(eventsLate, ({ device, oldestAt }) => plants.late(device, oldestAt))],
    routes: (app) =>
      bind(app, plantsApi, {
        list: (call) => plants.list(callerOf(call)),
        get: (call) => plants.get(callerOf(call), call.params.device, call.signal),
      }),
  };
}
