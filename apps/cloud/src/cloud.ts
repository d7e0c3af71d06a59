import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { DeviceLink } from '@albedo/device-link/device-link';
import type { Postgres } from '@albedo/postgres/postgres';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AUDIT_STREAM, Audit } from './audit/audit.service.ts';
import { completenessRoutes } from './completeness/completeness.routes.ts';
import { Ledger } from './completeness/completeness.service.ts';
import type { Config } from './config/config.ts';
import { DEMO_WORKGROUP } from './demo/demo.plants.ts';
import { prepareDemo } from './demo/demo.service.ts';
import { agentAddress, makeLink } from './device-link.ts';
import { Certificates } from './devices/certificates.service.ts';
import { DeviceRegistry } from './devices/devices.registry.ts';
import { devicesRoutes } from './devices/devices.routes.ts';
import { Devices } from './devices/devices.service.ts';
import { devicesSockets } from './devices/devices.sockets.ts';
import { DevicesStore } from './devices/devices.store.ts';
import { Enrolment } from './devices/enrolment.ts';
import { type Engines, openEngines } from './engines.ts';
import { Health } from './health/health.service.ts';
import { HealthStore } from './health/health.store.ts';
import { AppError } from './http/app-error.ts';
import type { Guard } from './http/guard.ts';
import { type Check, operationsRoutes } from './http/operations.ts';
import { createHttp } from './http/server.ts';
import { serveWeb } from './http/web.ts';
import { Ingest } from './ingest/ingest.ts';
import { Feeds } from './live/feeds.ts';
import { type Ask, askOthers, askOver, LinkWiring } from './live/link.wiring.ts';
import { Requests } from './live/requests.ts';
import { Watches } from './live/watches.ts';
import { Metrics } from './metrics/metrics.ts';
import { type PackSources, Packs } from './packs/packs.service.ts';
import { type FirstOwner, makeFirstOwner } from './sessions/first-owner.ts';
import { sessionsRoutes } from './sessions/sessions.routes.ts';
import { type Revocation, Sessions } from './sessions/sessions.service.ts';
import { SessionsStore } from './sessions/sessions.store.ts';
import { Shutdown } from './shutdown.ts';
import { Bus } from './sockets/bus.ts';
import { Sockets } from './sockets/sockets.server.ts';
import { telemetryRoutes } from './telemetry/telemetry.routes.ts';
import { type StoredRun, TelemetryStore } from './telemetry/telemetry.store.ts';
import { workgroupsRoutes } from './workgroups/workgroups.routes.ts';
import { Workgroups } from './workgroups/workgroups.service.ts';

/** A running cloud and where it answers. */
export interface Cloud {
  /** Where people and agents reach it. */
  publicUrl: string;
  /** Address on this machine, with the port that was taken. */
  url: string;
  /** Port of the embedded broker; null with an external one. */
  mqttPort: number | null;
  /** Made at the first start on an empty database; null later. */
  firstOwner: FirstOwner | null;
  /** The features themselves, for tests and benches in the same process. */
  features: Features;
  /** No new work, finish what is in hand, flush. */
  stop(): Promise<void>;
}

export interface Features {
  postgres: Postgres;
  telemetry: TelemetryStore;
  sessionsStore: SessionsStore;
  sessions: Sessions;
  workgroups: Workgroups;
  devices: Devices;
  certificates: Certificates;
  registry: DeviceRegistry;
  health: Health;
}

export interface CloudOptions {
  /** Where the built agent and plugins lie. */
  packSources?: PackSources;
  /** Where the built web app lies. */
  webRoot?: string;
}

/** Starts everything in this process; ports of 0 take free ones. What was started is stopped when another part fails. */
export async function startCloud(config: Config, log: Logger, options: CloudOptions = {}): Promise<Cloud> {
  const shutdown = new Shutdown(log);
  try {
    return await start(config, log, options, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

async function start(config: Config, log: Logger, options: CloudOptions, shutdown: Shutdown): Promise<Cloud> {
  const engines = await openEngines(config, log, shutdown);
  const { postgres, redis } = engines;
  const bus = new Bus();
  const metrics = new Metrics();
  metrics.start();
  shutdown.add('metrics', () => metrics.stop());

  // Records and telemetry.
  const telemetry = new TelemetryStore({
    clickhouse: engines.clickhouse,
    log,
    ...(postgres.engine === 'postgres' ? { exclusively: exclusivelyOver(postgres) } : {}),
  });
  shutdown.add('telemetry', () => telemetry.stop());
  const registry = new DeviceRegistry(postgres);
  const certificates = new Certificates(postgres, engines.authority);
  const sessionsStore = new SessionsStore(postgres);
  const { signingKey } = engines;
  const sessions = new Sessions({ store: sessionsStore, signingKey, staffDomains: config.staffDomains });
  const workgroups = new Workgroups(postgres);
  const enrolment = new Enrolment(postgres);
  const audit = new Audit(telemetry, log);
  const ledger = new Ledger({ postgres, telemetry: { storedSince: (at) => ofDevices(telemetry, at) }, log });
  await Promise.all([
    registry.start(),
    certificates.start(),
    sessions.start(),
    startTelemetry(telemetry, ledger),
  ]);
  shutdown.add('audit log', () => audit.stop());
  shutdown.add('ledger', () => ledger.stop());
  const firstOwner = await makeFirstOwner({
    store: sessionsStore,
    workgroups,
    email: config.ownerEmail,
    password: config.ownerPassword,
    ...(config.isDemo ? { workgroup: DEMO_WORKGROUP } : {}),
  });

  // HTTP and sockets.
  const guard: Guard = {
    session: (token) => sessions.verify(token),
    enrolment: async (token) => void (await enrolment.check(token)),
    device: async (workgroup, device) => {
      if ((await registry.find(device))?.workgroup !== workgroup) throw new AppError('device.not_found');
    },
  };
  const isHttps = config.publicUrl?.startsWith('https:') ?? false;
  const app = await createHttp({ log, guard, csrfSecret: engines.csrfSecret, redis, isHttps });
  const sockets = new Sockets({ server: app.server, guard, log, redis, bus });
  app.addHook('preClose', () => sockets.stop());
  sessions.onRevoked((revocation) => {
    bus.send('session:revoked', revocation);
    sockets.end(revocation);
  });
  bus.on<Revocation>('session:revoked', (revocation) => {
    sessions.apply(revocation);
    sockets.end(revocation);
  });

  // The device link and what is alive. A process that takes nothing in asks the others to speak with devices.
  const takesIn = config.roles.has('ingest');
  const link = takesIn
    ? await makeLink({ config, dataDir: engines.dataDir, certificates, registry, log })
    : null;
  const ask: Ask = link ? askOver(link) : askOthers(bus);
  const feeds = new Feeds(ask);
  const requests = new Requests(ask);
  const watches = new Watches((device, latest) =>
    sockets.tellWatchers(device, 'device:latest', { deviceId: device, sources: latest }),
  );
  const health = new Health({
    store: new HealthStore(postgres),
    registry,
    audit,
    bus,
    storedFacts: (now) => telemetry.facts(now),
    listeners: {
      facts: (workgroup, changes) => sockets.emit(workgroup, 'device:facts', changes),
      state: (workgroup, change) => sockets.emit(workgroup, 'device:stateChange', change),
    },
  });
  const publicUrl = () => config.publicUrl ?? `http://localhost:${portOf(app)}`;
  let mqttPort: number | null = null;
  const devices = new Devices({
    store: new DevicesStore(postgres),
    registry,
    certificates,
    enrolment,
    packs: new Packs(options.packSources),
    health,
    ledger,
    watches,
    audit,
    bus,
    latest: (workgroup, device) => telemetry.latest(workgroup, device),
    emit: (workgroup, event, payload) => sockets.emit(workgroup, event, payload),
    addresses: () => ({ mqtt: agentAddress(config, mqttPort), publicUrl: publicUrl() }),
  });
  const wiring = new LinkWiring({ registry, health, devices, feeds, requests, watches, bus, redis, log });
  wiring.start();
  await health.start();
  if (link) {
    const ingest = new Ingest({ link, registry, telemetry, ledger, log, metrics: metrics.registry });
    wiring.listen(link, ingest);
    ingest.start();
    mqttPort = await openLink(link);
    shutdown.add('device link', () => link.stop());
    shutdown.add('health', () => health.stop());
    shutdown.add('ingest', () => ingest.stop());
  } else shutdown.add('health', () => health.stop());
  shutdown.add('live', () => {
    wiring.stop();
    feeds.stop();
    watches.stop();
  });

  // Features.
  operationsRoutes(app, { checks: checksOf(engines), metrics, metricsToken: config.metricsToken });
  if (config.roles.has('api')) {
    sessionsRoutes(app, sessions);
    workgroupsRoutes(app, workgroups);
    devicesRoutes(app, devices);
    telemetryRoutes(app, telemetry);
    completenessRoutes(app, ledger);
    devicesSockets(sockets, { health, feeds, requests, watches, audit });
    await serveWeb(app, options.webRoot);
  }
  measure(metrics, { registry, health, sockets, feeds });

  if (config.isDemo) {
    const agentsDir = join(engines.dataDir, 'demo', 'agents');
    await prepareDemo({
      agentsDir,
      ownerEmail: config.ownerEmail,
      mqtt: mqttPort === null ? agentAddress(config, null) : { hostname: 'localhost', port: mqttPort },
      store: sessionsStore,
      workgroups,
      devices,
      certificates,
    });
  }
  shutdown.add('http', () => app.close());
  await listen(app, config);
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${portOf(app)}`;
  log.info({ url, publicUrl: publicUrl(), mqttPort, roles: [...config.roles] }, 'Albedo is ready');
  const features = {
    postgres,
    telemetry,
    sessionsStore,
    sessions,
    workgroups,
    devices,
    certificates,
    registry,
    health,
  };
  return { publicUrl: publicUrl(), url, mqttPort, firstOwner, features, stop: () => shutdown.run() };
}

/** The ledger reads what the store has, so it starts after it. */
async function startTelemetry(telemetry: TelemetryStore, ledger: Ledger): Promise<void> {
  await telemetry.start();
  await ledger.start();
}

/** What devices sent: the audit log that the cloud writes has numbers of its own. */
async function* ofDevices(telemetry: TelemetryStore, at: number): AsyncGenerator<StoredRun> {
  for await (const run of telemetry.storedSince(at)) {
    if (run.table !== AUDIT_STREAM.table || run.source !== AUDIT_STREAM.source) yield run;
  }
}

/** One after the other, over all processes that share the database. */
function exclusivelyOver(postgres: Postgres): <T>(task: () => Promise<T>) => Promise<T> {
  return (task) =>
    postgres.db.transaction(async (transaction) => {
      await transaction.execute(sql`select pg_advisory_xact_lock(${TELEMETRY_LOCK})`);
      return task();
    });
}

/** Any number that no other lock of this database has. */
const TELEMETRY_LOCK = 7_305_001;

function checksOf({ postgres, clickhouse, redis }: Engines): Record<string, Check> {
  return {
    records: () => postgres.query('select 1'),
    telemetry: () => clickhouse.ping(),
    ...(redis ? { redis: () => redis.ping() } : {}),
  };
}

function measure(
  metrics: Metrics,
  of: { registry: DeviceRegistry; health: Health; sockets: Sockets; feeds: Feeds },
): void {
  metrics.gauge('albedo_devices', 'Devices.', () => of.registry.size);
  metrics.gauge('albedo_devices_online', 'Devices that are connected.', () => of.health.online);
  metrics.gauge('albedo_sockets', 'Browsers connected by socket.', () => of.sockets.count);
  metrics.gauge('albedo_live_feeds', 'Live feeds that run on devices.', () => of.feeds.size);
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

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new Error(`the server cannot listen on ALBEDO_HOST and ALBEDO_PORT: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

const portOf = (app: FastifyInstance): number => (app.server.address() as AddressInfo).port;
