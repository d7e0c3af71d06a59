import type { Logger } from 'pino';
import { type Bus, hear } from '../bus/bus.ts';
import type { Ledger } from '../completeness/completeness.service.ts';
import type { DeviceLink } from '../device-link/device-link.service.ts';
import type { ForecastTables } from '../forecast-tables/forecast-tables.service.ts';
import type { Feature } from '../house/feature.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { EVERY_DEVICE, type Shards } from '../shards/shards.service.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { LateEvents } from './ingest.late.ts';
import type { IngestLimits } from './ingest.limits.ts';
import { shardWork } from './ingest.shards.ts';
import { eventsArrived } from './ingest.topics.ts';
import { Ingest } from './ingest.ts';

/** Takes what devices send; opened after everybody who hears of it. Null in a process that takes nothing in. */
export function openIngest(of: {
  deviceLink: DeviceLink;
  registry: DeviceRegistry;
  telemetry: Telemetry;
  ledger: Ledger;
  forecasts: ForecastTables;
  shards: Shards | null;
  ingestLimits: Partial<IngestLimits> | undefined;
  metrics: Metrics;
  bus: Bus;
  log: Logger;
}): Feature<Ingest | null> {
  const { deviceLink, ledger, shards, metrics, log } = of;
  const { link } = deviceLink;
  const late = new LateEvents(of.bus);
  // External sources bring events into processes without a link, too.
  const hears = [hear(eventsArrived, (arrival) => late.hear(arrival))];
  if (!link) return { name: 'ingest', service: null, hears };
  const ingest = new Ingest({
    ...of,
    telemetry: of.telemetry.asSystem('ingest'),
    link,
    tenure: shards ?? EVERY_DEVICE,
    metrics: metrics.registry,
    limits: of.ingestLimits ?? {},
  });
  ledger.onLost((lost) => shards?.lost(lost));
  const work = shardWork({ link, ledger, ingest, log });
  return {
    name: 'ingest',
    service: ingest,
    hears,
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
