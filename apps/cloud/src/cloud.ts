import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AccessControl } from './access-control/access-control.service.ts';
import { AccessControlStore } from './access-control/access-control.store.ts';
import { accessRulesChanged } from './access-control/access-control.topics.ts';
import { type Alive, startAlive } from './alive.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { brandedPage, isPlain } from './branding/branded-page.ts';
import { Bus } from './bus/bus.ts';
import { completenessRoutes } from './completeness/completeness.routes.ts';
import type { Config } from './config/config.ts';
import { DEMO_WORKGROUP } from './demo/demo.plants.ts';
import { prepareDemo } from './demo/demo.service.ts';
import { deviceGroupsRoutes } from './device-groups/device-groups.routes.ts';
import { deviceGroupChanged, scopesChanged } from './device-groups/device-groups.topics.ts';
import { agentAddress } from './device-link/device-link.ts';
import { devicesRoutes } from './devices/devices.routes.ts';
import { devicesSockets } from './devices/devices.sockets.ts';
import { diagnosticsRoutes } from './diagnostics/diagnostics.routes.ts';
import { Diagnostics } from './diagnostics/diagnostics.service.ts';
import { type Engines, openEngines } from './engines/engines.ts';
import { Shutdown } from './house/shutdown.ts';
import { type Check, operationsRoutes } from './http/operations.ts';
import { createHttp } from './http/server.ts';
import { serveWeb } from './http/web.ts';
import { type Identity, identityRoutes, openIdentity } from './identity.ts';
import { measureJobs } from './jobs/jobs.metrics.ts';
import { Metrics } from './metrics/metrics.ts';
import type { PackSources } from './packs/packs.service.ts';
import { mountProvider } from './provider.ts';
import { guardOf, openRecords, type Records } from './records.ts';
import { type FirstOwner, makeFirstOwner } from './sessions/first-owner.ts';
import { sessionsRoutes } from './sessions/sessions.routes.ts';
import { sessionRevoked } from './sessions/sessions.topics.ts';
import { Sockets } from './sockets/sockets.server.ts';
import { telemetryRoutes } from './telemetry/telemetry.routes.ts';
import { workgroupAdminRoutes } from './workgroup-admin/workgroup-admin.routes.ts';
import { WorkgroupAdmin } from './workgroup-admin/workgroup-admin.service.ts';
import { WorkgroupAdminStore } from './workgroup-admin/workgroup-admin.store.ts';
import { workgroupsRoutes } from './workgroups/workgroups.routes.ts';
import { workgroupChanged, workgroupSuspended } from './workgroups/workgroups.topics.ts';

/** A running cloud and where it answers. */
export interface Cloud {
  /** Where people and agents reach it. */
  publicUrl: string;
  /** Address on this machine, with the port that was taken. */
  url: string;
  /** Port of the embedded broker; null without one. */
  mqttPort: number | null;
  /** Made at the first start on an empty database; null later. */
  firstOwner: FirstOwner | null;
  /** The features themselves, for tests and benches in the same process. */
  features: Records & Alive & Identity & Pick<Engines, 'postgres' | 'files' | 'jobs'>;
  /** No new work, finish what is in hand, flush. */
  stop(): Promise<void>;
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
  const metrics = new Metrics();
  metrics.start();
  shutdown.add('metrics', () => metrics.stop());

  const failures = metrics.counter(
    'albedo_bus_listener_failures_total',
    'Listeners of the bus that failed.',
    ['topic'],
  );
  const bus = new Bus({ log, failures });
  shutdown.add('bus', () => bus.stop());
  const engines = await openEngines(config, bus, log, shutdown);
  const records = await openRecords(config, engines, bus, log, shutdown);
  const firstOwner = await makeFirstOwner({
    store: records.sessionsStore,
    workgroups: records.workgroups,
    email: config.ownerEmail,
    password: config.ownerPassword,
    ...(config.isDemo ? { workgroup: DEMO_WORKGROUP } : {}),
  });

  const accessControl = new AccessControl({
    store: new AccessControlStore(engines.postgres),
    audit: records.audit,
    bus,
  });
  const { app, sockets } = await openHttp({ config, engines, records, accessControl, bus, log });
  const publicUrl = () => config.publicUrl ?? `http://localhost:${portOf(app)}`;
  const { packSources } = options;
  const part = {
    config,
    engines,
    records,
    accessControl,
    sockets,
    bus,
    metrics,
    packSources,
    publicUrl,
    log,
    shutdown,
  };
  const alive = await startAlive(part);
  const identity = await openIdentity(part);

  const { metricsToken, isPublic } = config;
  operationsRoutes(app, { checks: checksOf(engines), metrics, metricsToken, isPublic });
  measure(metrics, { records, alive, sockets });
  if (config.roles.has('jobs')) measureJobs(engines.jobs, bus, metrics.registry);
  if (config.roles.has('api')) {
    diagnosticsRoutes(app, new Diagnostics(log, metrics));
    mountProvider({ ...part, app, mailer: identity.mailer, settings: identity.settings });
    const workgroupAdmin = workgroupAdminOf(part, alive, identity);
    workgroupAdmin.start();
    shutdown.add('workgroups', async () => workgroupAdmin.stop());
    workgroupAdminRoutes(app, workgroupAdmin);
    await mountFeatures({ app, sockets, bus, records, alive, identity, webRoot: options.webRoot });
  }
  if (config.isDemo) await startDemo({ config, engines, records, alive });

  const { jobs } = engines;
  shutdown.add('jobs', () => jobs.stop());
  shutdown.add('http', () => app.close());
  await listen(app, config);
  // Not before: what jobs say to people names the address.
  await jobs.work();
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${portOf(app)}`;
  const { mqttPort } = alive;
  log.info({ url, publicUrl: publicUrl(), mqttPort, roles: [...config.roles] }, 'Albedo is ready');
  return {
    publicUrl: publicUrl(),
    url,
    mqttPort,
    firstOwner,
    features: { ...records, ...alive, ...identity, postgres: engines.postgres, files: engines.files, jobs },
    stop: () => shutdown.run(),
  };
}

async function openHttp(of: {
  config: Config;
  engines: Engines;
  records: Records;
  accessControl: AccessControl;
  bus: Bus;
  log: Logger;
}): Promise<{ app: FastifyInstance; sockets: Sockets }> {
  const { config, engines, records, accessControl, bus, log } = of;
  const { redis, csrfSecret } = engines;
  const guard = guardOf(records, accessControl);
  const isHttps = config.publicUrl?.startsWith('https:') ?? false;
  const { trustedProxies } = config;
  const app = await createHttp({ log, guard, csrfSecret, redis, isHttps, trustedProxies });
  const groups = records.deviceGroups;
  const sockets = new Sockets({ server: app.server, guard, groups, log, redis, bus, trustedProxies });
  app.addHook('preClose', () => sockets.stop());
  const { deviceGroups, sessions, workgroups } = records;
  deviceGroups.tellLists((...told) => sockets.listChanged(...told));
  bus.subscribe(deviceGroupChanged, (change, { isOwn }) => {
    if (!isOwn) deviceGroups.apply(change);
  });
  bus.subscribe(scopesChanged, () => sockets.scopesChanged());
  bus.subscribe(sessionRevoked, (revocation, { isOwn }) => {
    if (!isOwn) sessions.apply(revocation);
    sockets.end(revocation);
  });
  bus.subscribe(workgroupSuspended, (suspension) => workgroups.applySuspension(suspension));
  bus.subscribe(workgroupChanged, async (changed, { isOwn }) => {
    await workgroups.readAddons(changed.workgroup);
    if (isOwn) sockets.emit(changed.workgroup, 'workgroup:changed', changed);
  });
  return { app, sockets };
}

/** What the staff do with workgroups reaches into everything there is. */
function workgroupAdminOf(
  part: { config: Config; engines: Engines; records: Records; sockets: Sockets; bus: Bus; log: Logger },
  { devices, health }: Alive,
  { invites, accounts }: Identity,
): WorkgroupAdmin {
  const { config, engines, records, sockets, bus, log } = part;
  return new WorkgroupAdmin({
    ...records,
    store: new WorkgroupAdminStore(engines.postgres),
    files: engines.files,
    devices,
    health,
    invites,
    accounts,
    sockets,
    bus,
    log,
    staffDomains: config.staffDomains,
    roles: [...config.roles],
  });
}

async function mountFeatures(of: {
  app: FastifyInstance;
  sockets: Sockets;
  bus: Bus;
  records: Records;
  alive: Alive;
  identity: Identity;
  webRoot: string | undefined;
}): Promise<void> {
  const { app, sockets, bus, records, alive } = of;
  sessionsRoutes(app, records.sessions);
  identityRoutes(app, of.identity, records.workgroups);
  const { workgroups } = records;
  workgroupsRoutes(app, { workgroups, workgroupSettings: of.identity.workgroupSettings });
  devicesRoutes(app, alive.devices);
  deviceGroupsRoutes(app, records.deviceGroups);
  auditRoutes(app, records);
  telemetryRoutes(app, records.telemetry);
  completenessRoutes(app, records.ledger);
  bus.subscribe(accessRulesChanged, (changed, { isOwn }) => {
    if (isOwn) sockets.emit(changed.workgroup, 'access-control:changed', changed);
  });
  devicesSockets(sockets, { ...alive, audit: records.audit });
  const { branding } = of.identity;
  await serveWeb(app, of.webRoot, (host, page) => {
    const brand = branding.ofHost(host);
    return isPlain(brand) ? null : brandedPage(page(), brand);
  });
}

async function startDemo(of: {
  config: Config;
  engines: Engines;
  records: Records;
  alive: Alive;
}): Promise<void> {
  const { config, engines, records, alive } = of;
  // The demo's agents run on this machine, whatever the rest of the world calls it.
  const mqtt =
    alive.mqttPort === null ? agentAddress(config, null) : { hostname: 'localhost', port: alive.mqttPort };
  await prepareDemo({
    agentsDir: join(engines.dataDir, 'demo', 'agents'),
    ownerEmail: config.ownerEmail,
    mqtt,
    store: records.sessionsStore,
    workgroups: records.workgroups,
    devices: alive.devices,
    certificates: records.certificates,
  });
}

function checksOf({ postgres, telemetryEngine, redis }: Engines): Record<string, Check> {
  return {
    records: () => postgres.query('select 1'),
    telemetry: () => telemetryEngine.ping(),
    ...(redis ? { redis: () => redis.ping() } : {}),
  };
}

function measure(metrics: Metrics, of: { records: Records; alive: Alive; sockets: Sockets }): void {
  const { records, alive, sockets } = of;
  metrics.gauge('albedo_devices', 'Devices.', () => records.registry.size);
  metrics.gauge('albedo_devices_online', 'Devices that are connected.', () => alive.health.online);
  metrics.gauge('albedo_sockets', 'Browsers connected by socket.', () => sockets.count);
  metrics.gauge('albedo_live_feeds', 'Live feeds that run on devices.', () => alive.feeds.size);
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
