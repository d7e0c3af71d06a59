import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { RedisClientType } from 'redis';
import { Quotas } from '../access/quotas.ts';
import { type Audit, PROVIDER_LOG } from '../audit/audit.service.ts';
import type { Branding } from '../branding/branding.service.ts';
import type { Config } from '../config/config.ts';
import { clamdScanner } from '../files/virus-scan.ts';
import type { Feature } from '../house/feature.ts';
import type { House } from '../house/house.ts';
import { operationsRoutes } from '../http/operations.ts';
import { watchPlainRequests } from '../http/plain-requests.ts';
import { createHttp } from '../http/server.ts';
import type { Settled } from '../http/settled.ts';
import { serveWeb } from '../http/web.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { guardOf, type Keepers } from './guard.ts';

/** Where the server listens: with a port of 0 it is known from the start on. */
export interface FrontDoor {
  readonly port: number;
}

/** What requests under way are given when the server stops, ms. */
const LAST_ANSWERS_MS = 3000;

export interface FrontDoorParts extends Omit<Keepers, 'quotas'> {
  config: Config;
  audit: Audit;
  redis: RedisClientType | null;
  csrfSecret: Buffer;
  branding: Branding;
  house: House;
  sockets: Sockets;
  metrics: Metrics;
  /** Stands before the app, and takes what is for machines behind devices. */
  tunnelDoor: { attach(server: Server): void };
  log: Logger;
  webRoot: string | undefined;
}

/**
 * HTTP and sockets, with the one guard that all who come in pass. It lets people in to all features that were opened
 * before it, and only where this process has the role `api`; machines ask every process how it is.
 */
export async function openFrontDoor(of: FrontDoorParts): Promise<Feature<FrontDoor>> {
  const { config, house, sockets, metrics, branding, webRoot } = of;
  const { trustedProxies, knownBrowserS } = config;
  const guard = guardOf({ ...of, quotas: new Quotas(config.quotas) });
  const settled: Settled = (task) => of.audit.settled(task);
  const isHttps = config.publicUrl?.startsWith('https:') ?? false;
  const scanFile = config.clamd === null ? null : clamdScanner(config.clamd);
  const app = await createHttp({ ...of, guard, settled, isHttps, trustedProxies, knownBrowserS, scanFile });
  sockets.attach(app.server, guard, settled);
  app.addHook('preClose', () => sockets.stop());
  const securityContact = config.supportEmail ?? config.ownerEmail;
  operationsRoutes(app, { ...config, checks: house.checks, metrics, securityContact });
  if (config.roles.has('api')) {
    house.mount(app, sockets);
    await serveWeb(
      app,
      webRoot,
      (host, page) => branding.pageOf(host, page),
      (host) => branding.manifestOf(host),
    );
    of.tunnelDoor.attach(app.server);
  }
  watchPlainRequests(app.server, {
    trustedProxies,
    allowed: config.plainConnections !== 'none',
    hear: (address) => tellPlainRequest(address, of),
  });
  return {
    name: 'front-door',
    service: {
      get port() {
        return (app.server.address() as AddressInfo | null)?.port ?? config.port;
      },
    },
    metrics: () => metrics.gauge('albedo_sockets', 'Browsers connected by socket.', () => sockets.count),
    start: () => listen(app, config),
    stop: () => close(app),
  };
}

/** Told once: a proxy that says nothing of https looks the same, and both need somebody to look. */
function tellPlainRequest(address: string, { audit, log }: Pick<FrontDoorParts, 'audit' | 'log'>): void {
  log.warn(
    { address },
    'the server was asked without https from another machine; put a proxy with https in front',
  );
  audit.record({
    workgroup: PROVIDER_LOG,
    at: Date.now(),
    controller: 'server',
    entity: 'server',
    action: 'request',
    attribute: 'without https',
    newValue: address,
    by: null,
  });
}

/**
 * Requests under way are answered. A connection on which nothing was asked yet counts as busy, so it would hold up the
 * end for as long as a header may take; browsers open such connections ahead.
 */
async function close(app: FastifyInstance): Promise<void> {
  const end = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS);
  await app.close().finally(() => clearTimeout(end));
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw new Error(`the server cannot listen on ALBEDO_HOST and ALBEDO_PORT: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
