import type { DeviceLink } from '@albedo/device-link/device-link';
import type { Logger } from 'pino';
import type { Bus } from './bus/bus.ts';
import type { Config } from './config/config.ts';
import { devicesMoved } from './device-groups/device-groups.topics.ts';
import { agentAddress, makeLink } from './device-link/device-link.ts';
import { Devices } from './devices/devices.service.ts';
import { DevicesStore } from './devices/devices.store.ts';
import { certificateChanged, deviceRemoved, deviceSet } from './devices/devices.topics.ts';
import type { Engines } from './engines/engines.ts';
import { Health } from './health/health.service.ts';
import { HealthStore } from './health/health.store.ts';
import { deviceStateChanged, factsChanged } from './health/health.topics.ts';
import type { Shutdown } from './house/shutdown.ts';
import { Ingest } from './ingest/ingest.ts';
import { Feeds } from './live-feeds/feeds.ts';
import { askOthers, askOver, LinkWiring } from './live-feeds/link.wiring.ts';
import { ownSources } from './live-feeds/own-sources.ts';
import { Requests } from './live-feeds/requests.ts';
import { Watches } from './live-feeds/watches.ts';
import type { Metrics } from './metrics/metrics.ts';
import { type PackSources, Packs } from './packs/packs.service.ts';
import type { Records } from './records.ts';
import type { Sockets } from './sockets/sockets.server.ts';

/** What moves: the devices, their health, and whoever looks at them. */
export interface Alive {
  devices: Devices;
  health: Health;
  feeds: Feeds;
  requests: Requests;
  watches: Watches;
  /** Port of the embedded broker; null without one. */
  mqttPort: number | null;
}

export interface AliveOptions {
  config: Config;
  engines: Engines;
  records: Records;
  sockets: Sockets;
  bus: Bus;
  metrics: Metrics;
  packSources: PackSources | undefined;
  publicUrl: () => string;
  log: Logger;
  shutdown: Shutdown;
}

/** Starts the device link (where this process takes data in) and everything that hears of devices. */
export async function startAlive(options: AliveOptions): Promise<Alive> {
  const { config, engines, records, bus, sockets, log, shutdown } = options;
  const { registry, certificates } = records;
  // A process that takes nothing in asks the others to speak with devices.
  const link = config.roles.has('ingest')
    ? await makeLink({ config, dataDir: engines.dataDir, certificates, registry, bus, log })
    : null;
  const ask = link ? askOver(link) : askOthers(bus);
  const feeds = new Feeds(ask);
  const requests = new Requests(ask);
  const watches = new Watches(
    (device, latest) => sockets.tellWatchers(device, 'device:latest', { deviceId: device, sources: latest }),
    bus,
  );
  const health = makeHealth(options);
  let mqttPort: number | null = null;
  const store = new DevicesStore(engines.postgres);
  const devices = new Devices({
    ...records,
    store,
    packs: new Packs(options.packSources),
    health,
    watches,
    bus,
    latest: async (caller, device) => {
      const [latest, row] = await Promise.all([
        records.telemetry.for(caller).latest(device),
        store.get(caller.workgroup, device),
      ]);
      return ownSources(latest, row?.meta ?? null);
    },
    emit: (workgroup, event, payload) => {
      sockets.emit(workgroup, event, payload);
      // Groups may count it without naming it.
      if (event === 'device:new' || event === 'device:removed')
        sockets.listChanged('device-groups', workgroup);
    },
    addresses: () => ({ mqtt: agentAddress(config, mqttPort), publicUrl: options.publicUrl() }),
  });

  bus.subscribe(devicesMoved, ({ workgroup, groupId, entered, left }) => {
    for (const deviceId of left) sockets.emitToGroup(workgroup, groupId, 'device:removed', { deviceId });
    for (const id of entered) {
      const device = devices.summaryOf(id);
      if (device) sockets.emitToGroup(workgroup, groupId, 'device:new', device);
    }
  });
  bus.subscribe(deviceSet, (device, { isOwn }) => {
    if (!isOwn) devices.applySet(device);
  });
  bus.subscribe(deviceRemoved, ({ id }, { isOwn }) => {
    if (!isOwn) devices.applyRemoved(id);
  });
  bus.subscribe(certificateChanged, ({ id }, { isOwn }) => {
    if (!isOwn) return certificates.reload(id);
  });
  const { redis } = engines;
  const wiring = new LinkWiring({ registry, health, devices, feeds, requests, watches, bus, redis, log });
  wiring.start();
  await health.start();
  if (link) {
    const { registry: metrics } = options.metrics;
    const telemetry = records.telemetry.asSystem('ingest');
    const ingest = new Ingest({ ...records, telemetry, link, log, metrics, bus });
    wiring.listen(link);
    ingest.start();
    mqttPort = await openLink(link);
    shutdown.add('device link', () => link.stop());
    shutdown.add('health', () => health.stop());
    // Stopped before the link, so that what it brings into the store it can still acknowledge.
    shutdown.add('ingest', () => ingest.stop());
  } else shutdown.add('health', () => health.stop());
  shutdown.add('live', () => {
    wiring.stop();
    feeds.stop();
    watches.stop();
  });
  return { devices, health, feeds, requests, watches, mqttPort };
}

function makeHealth({ engines, records, bus, sockets }: AliveOptions): Health {
  const { registry } = records;
  const health = new Health({
    store: new HealthStore(engines.postgres),
    registry: records.registry,
    audit: records.audit,
    bus,
    storedFacts: (now) => records.telemetry.asSystem('health').facts(now),
  });
  bus.subscribe(factsChanged, (changes, { isOwn }) => {
    if (!isOwn) return health.apply(changes);
    const byWorkgroup = Map.groupBy(changes, ({ deviceId }) => registry.known(deviceId)?.workgroup);
    for (const [workgroup, of] of byWorkgroup) if (workgroup) sockets.emit(workgroup, 'device:facts', of);
  });
  bus.subscribe(deviceStateChanged, ({ workgroup, ...change }) =>
    sockets.emit(workgroup, 'device:stateChange', change),
  );
  return health;
}

/** Starts the link; answers the port of the embedded broker. */
async function openLink(link: DeviceLink): Promise<number | null> {
  try {
    await link.start();
  } catch (error) {
    throw new Error(
      `the device link cannot start (ALBEDO_MQTT_PORT, MQTT_URL): ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
  return 'port' in link ? Number(link.port) : null;
}
