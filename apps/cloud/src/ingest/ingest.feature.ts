import type { Logger } from 'pino';
import type { Bus } from '../bus/bus.ts';
import type { Ledger } from '../completeness/completeness.service.ts';
import type { DeviceLink } from '../device-link/device-link.service.ts';
import type { Feature } from '../house/feature.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { EVERY_DEVICE, type Shards } from '../shards/shards.service.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { shardWork } from './ingest.shards.ts';
import { Ingest } from './ingest.ts';

/** Takes what devices send; opened after everybody who hears of it. Null in a process that takes nothing in. */
export function openIngest(of: {
  deviceLink: DeviceLink;
  registry: DeviceRegistry;
  telemetry: Telemetry;
  ledger: Ledger;
  shards: Shards | null;
  metrics: Metrics;
  bus: Bus;
  log: Logger;
}): Feature<Ingest | null> {
  const { deviceLink, ledger, shards, metrics, log } = of;
  const { link } = deviceLink;
  if (!link) return { name: 'ingest', service: null };
  const ingest = new Ingest({
    ...of,
    telemetry: of.telemetry.asSystem('ingest'),
    link,
    tenure: shards ?? EVERY_DEVICE,
    metrics: metrics.registry,
  });
  ledger.onLost((lost) => shards?.lost(lost));
  const work = shardWork({ link, ledger, ingest, log });
  return {
    name: 'ingest',
    service: ingest,
    start: async () => {
      ingest.start();
      await deviceLink.listen(shards ? () => shards.start(work) : undefined);
    },
    // Before the link stops, so that what is brought into the store can still be acknowledged.
    stop: async () => {
      await shards?.stop();
      await ingest.stop();
    },
  };
}
