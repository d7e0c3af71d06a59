import type { Postgres } from '@albedo/postgres/postgres';
import type { RedisClientType } from 'redis';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import { savedFactsPart } from '../database/devices.tables.ts';
import { devicePresence } from '../device-link/device-link.topics.ts';
import type { Feature } from '../house/feature.ts';
import { eventsArrived, statusSaid } from '../ingest/ingest.topics.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { Health } from './health.service.ts';
import { HealthStore } from './health.store.ts';
import { factsChanged } from './health.topics.ts';

/** What is known of every device: whether it is there, and how it is. */
export function openHealth(of: {
  postgres: Postgres;
  redis: RedisClientType | null;
  registry: DeviceRegistry;
  telemetry: Telemetry;
  audit: Audit;
  bus: Bus;
}): Feature<Health> {
  const { postgres, redis, registry, telemetry } = of;
  const health = new Health({
    ...of,
    store: new HealthStore(postgres),
    storedFacts: (now) => telemetry.asSystem('health').facts(now),
  });
  return {
    name: 'health',
    service: health,
    workgroupPart: { tables: savedFactsPart },
    hears: [
      hear(statusSaid, ({ device, message }) => health.takeStatus(device, message)),
      hear(eventsArrived, ({ device, streams }) => health.takeArrival(device, streams)),
      hear(devicePresence, async ({ device, online, at }) => {
        if (!(await registry.find(device))) return;
        health.setPresence(device, online, at, { isFirst: await isFirstToSay(redis, device, online) });
      }),
      hear(factsChanged, (changes, { isOwn }) => {
        if (!isOwn) health.apply(changes);
      }),
    ],
    metrics: (metrics) =>
      metrics.gauge('albedo_devices_online', 'Devices that are connected.', () => health.online),
    start: () => health.start(),
    stop: () => health.stop(),
  };
}

/** Of several processes that see a device come or go, one tells. */
async function isFirstToSay(
  redis: RedisClientType | null,
  device: string,
  online: boolean,
): Promise<boolean> {
  if (!redis) return true;
  const state = online ? 'online' : 'offline';
  return (await redis.set(`albedo:presence:${device}`, state, { GET: true })) !== state;
}
