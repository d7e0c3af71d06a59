import { storeChecksApi } from '@albedo/contract/store-checks/store-checks.api';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { Audit } from '../audit/audit.service.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { Impaired } from '../metrics/check.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { StoreChecks } from './store-checks.service.ts';

/** Finds what the disk has damaged, and tells the staff; the process that runs jobs looks. */
export function openStoreChecks(of: {
  config: Config;
  postgres: Postgres;
  telemetry: Telemetry;
  audit: Audit;
  sockets: Sockets;
  log: Logger;
}): Feature<StoreChecks> {
  const { config, postgres, telemetry, audit, sockets, log } = of;
  const checks = new StoreChecks({
    store: telemetry.asSystem('store checks'),
    postgres,
    audit,
    log,
    onChange: () => sockets.tellList('damages', null),
  });
  const tell = (engine: 'telemetry' | 'records') => () => {
    const saying = checks.saying(engine);
    if (saying) throw new Impaired(saying);
  };
  return {
    name: 'store-checks',
    service: checks,
    routes: (app) => bind(app, storeChecksApi, { damages: () => checks.damages }),
    checks: { 'telemetry on the disk': tell('telemetry'), 'records on the disk': tell('records') },
    metrics: (metrics) =>
      metrics.gauge(
        'albedo_damages',
        'Parts of the store and tables of the records that are damaged.',
        () => checks.damages.length,
      ),
    start: () => {
      if (config.roles.has('jobs')) checks.start();
    },
    stop: () => checks.stop(),
  };
}
