import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { type Bus, hear } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import { sharesDevices } from './shards.config.ts';
import { Shards } from './shards.service.ts';
import { ShardsStore } from './shards.store.ts';
import { shardsMoved } from './shards.topics.ts';

/**
 * The devices of one broker, shared by several processes. The ingest starts and stops it, since it does the work. Null
 * where this process has all devices, or none.
 */
export function openShards(of: {
  config: Config;
  postgres: Postgres;
  bus: Bus;
  log: Logger;
}): Feature<Shards | null> {
  const { config, postgres, bus, log } = of;
  if (!config.roles.has('ingest') || !sharesDevices(config)) return { name: 'shards', service: null };
  const store = new ShardsStore(postgres);
  const shards = new Shards({ store, log, onChange: () => void bus.publish(shardsMoved, null) });
  return {
    name: 'shards',
    service: shards,
    hears: [
      hear(shardsMoved, (_, { isOwn }) => {
        if (!isOwn) shards.hurry();
      }),
    ],
    metrics: (metrics) =>
      metrics.gauge(
        'albedo_link_shards',
        'Shards of the device link that this process has.',
        () => shards.size,
      ),
  };
}
