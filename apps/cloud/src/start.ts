import { join } from 'node:path';
import { DEMO_WORKGROUP } from '@albedo/contract/demo/demo.names';
import type { Logger } from 'pino';
import { type Audit, PROVIDER_LOG } from './audit/audit.service.ts';
import { Bus } from './bus/bus.ts';
import type { Features } from './cloud.ts';
import { ControlServer } from './command-line/control.server.ts';
import type { Config } from './config/config.ts';
import { mayDoAnything } from './database/database.ts';
import { prepareDemo } from './demo/demo.service.ts';
import { type Engines, openEngines } from './engines/engines.ts';
import { House } from './house/house.ts';
import { type LastEnd, markRunning, markStopped } from './house/last-end.ts';
import { Shutdown } from './house/shutdown.ts';
import { SparePages } from './house/spare-pages.ts';
import type { WorkgroupPart } from './house/workgroup-part.ts';
import type { IngestLimits } from './ingest/ingest.limits.ts';
import { Metrics } from './metrics/metrics.ts';
import type { PackSources } from './packs/packs.service.ts';
import { type FirstOwner, makeFirstOwner } from './sessions/first-owner.ts';
import { Sockets } from './sockets/sockets.server.ts';

/** A running cloud and where it answers. */
export interface Cloud {
  /** Where people and agents reach it. */
  publicUrl: string;
  /** Address on this machine, with the port that was taken. */
  url: string;
  /** Port of the embedded broker; null without one. */
  mqttPort: number | null;
  /** The features themselves, for tests and benches in the same process. */
  features: Features & Pick<Engines, 'postgres' | 'files' | 'jobs'> & { workgroupParts: WorkgroupPart[] };
  /** No new work, finish what is in hand, flush. */
  stop(): Promise<void>;
}

export interface CloudOptions {
  /** Where the built agent and plugins lie. */
  packSources?: PackSources;
  /** Where the built web app lies. */
  webRoot?: string;
  /** Other limits of what waits before it is stored, for tests and benches. */
  ingestLimits?: Partial<IngestLimits>;
  /** Hears of the first owner as soon as there is one: the start may still fail, and the password is nowhere else. */
  onFirstOwner?: (owner: FirstOwner) => void;
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
  const sparePages = new SparePages(log);
  sparePages.start();
  shutdown.add('spare-pages', () => sparePages.stop());
  const bus = new Bus({ log, failures: metrics.counter(...LISTENER_FAILURES) });
  shutdown.add('bus', () => bus.stop());
  // A good part of a start is reading the features' files: the engines start meanwhile.
  const [engines, { openFeatures }, { openFrontDoor }] = await Promise.all([
    openEngines(config, bus, log, shutdown),
    import('./cloud.ts'),
    import('./front-door/front-door.feature.ts'),
  ]);
  const { jobs } = engines;
  const lastEnd = markRunning(engines.dataDir);
  shutdown.add('mark', () => markStopped(engines.dataDir));
  const { trustedProxies, addressTokens } = config;
  let port = config.port;
  const publicUrl = () => config.publicUrl ?? `http://localhost:${port}`;
  const { redis, authority } = engines;
  const sockets = new Sockets({
    ...{ log, redis, bus, trustedProxies, publicUrl, addressTokens },
    installation: authority.name,
  });
  shutdown.add('sockets', () => sockets.stop());

  const house = new House({ bus, jobs, metrics, shutdown });
  const base = { config, ...engines, bus, sockets, metrics, publicUrl, log };
  const { packSources, ingestLimits } = options;
  const features = await openFeatures(house, { ...base, packSources, ingestLimits });
  const { users, workgroups, deviceLink } = features;
  if (lastEnd) tellLastEnd(lastEnd, features.audit, log);
  for (const name of config.plainServers) tellPlain(name, features.audit, log);
  if (await mayDoAnything(engines.postgres))
    log.warn('the account of DATABASE_URL may do more than its own database needs: docs/configuration.md');
  const firstOwner = await makeFirstOwner({
    users,
    workgroups,
    email: config.ownerEmail,
    password: config.ownerPassword,
    mfaRequired: config.workgroupMfa,
    isPublic: config.isPublic,
    ...(config.isDemo ? { workgroup: DEMO_WORKGROUP } : {}),
  });
  if (firstOwner) options.onFirstOwner?.(firstOwner);
  if (config.isDemo) {
    const agentsDir = join(engines.dataDir, 'demo', 'agents');
    await prepareDemo({ ...features, agentsDir, ownerEmail: config.ownerEmail });
  }

  shutdown.add('jobs', () => jobs.stop());
  const frontDoor = await house.open(
    openFrontDoor({ ...base, ...features, house, webRoot: options.webRoot }),
  );
  port = frontDoor.port;
  const control = new ControlServer({ commands: () => house.commands, log });
  shutdown.add('commands', () => control.stop());
  await control.listen(engines.dataDir);
  // Not before: what jobs say to people names the address.
  await jobs.work();
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  const { port: mqttPort } = deviceLink;
  log.info({ url, publicUrl: publicUrl(), mqttPort, roles: [...config.roles] }, 'Albedo is ready');
  return {
    publicUrl: publicUrl(),
    url,
    mqttPort,
    features: {
      ...features,
      postgres: engines.postgres,
      files: engines.files,
      jobs,
      workgroupParts: house.workgroupParts,
    },
    stop: () => shutdown.run(),
  };
}

/** As the operator allows; the staff read it in the provider's log. */
function tellPlain(variable: string, audit: Audit, log: Logger): void {
  log.warn({ variable }, `the connection of ${variable} to another machine is not encrypted`);
  audit.record({
    workgroup: PROVIDER_LOG,
    at: Date.now(),
    controller: 'server',
    entity: 'server',
    action: 'connect',
    attribute: 'without TLS',
    newValue: variable,
    by: null,
  });
}

/** The staff read it in the provider's log. */
function tellLastEnd({ since, reason }: LastEnd, audit: Audit, log: Logger): void {
  const how = reason ?? 'It was killed, or the power went.';
  log.warn({ since, reason: how }, 'the server before this one ended without being stopped');
  audit.record({
    workgroup: PROVIDER_LOG,
    at: Date.now(),
    controller: 'server',
    entity: 'server',
    action: 'crash',
    attribute: 'reason',
    oldValue: since,
    newValue: how,
    by: null,
    status: 'failed',
  });
}

const LISTENER_FAILURES = [
  'albedo_bus_listener_failures_total',
  'Listeners of the bus that failed.',
  ['topic'],
] as const;
