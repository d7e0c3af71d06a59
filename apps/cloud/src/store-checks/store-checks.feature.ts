import { Readable } from 'node:stream';
import { storeChecksApi } from '@albedo/contract/store-checks/store-checks.api';
import type { Damage } from '@albedo/contract/store-checks/store-checks.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { Audit } from '../audit/audit.service.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { Impaired } from '../metrics/check.ts';
import type { Photos } from '../photos/photos.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { StoreChecks } from './store-checks.service.ts';

/** Finds what the disk has damaged, and tells the staff; the process that runs jobs looks. */
export function openStoreChecks(of: {
  config: Config;
  postgres: Postgres;
  telemetry: Telemetry;
  photos: Photos;
  audit: Audit;
  sockets: Sockets;
  log: Logger;
}): Feature<StoreChecks> {
  const { config, postgres, telemetry, photos, audit, sockets, log } = of;
  const checks = new StoreChecks({
    store: telemetry.asSystem('store checks'),
    postgres,
    // An object store compares its files with their checksums itself, and asks a price for each reading.
    files: () => (config.s3Url === null ? photos.damaged() : Readable.from([])),
    audit,
    log,
    onChange: () => sockets.tellList('damages', null),
  });
  const tell = (engine: Damage['engine']) => () => {
    const saying = checks.saying(engine);
    if (saying) throw new Impaired(saying);
  };
  return {
    name: 'store-checks',
    service: checks,
    routes: (app) => bind(app, storeChecksApi, { damages: () => checks.damages }),
    checks: {
      'telemetry on the disk': tell('telemetry'),
      'records on the disk': tell('records'),
      'files on the disk': tell('files'),
    },
    metrics: (metrics) =>
      metrics.gauge(
        'albedo_damages',
        'Parts of the store, tables of the records and devices with photos that are damaged.',
        () => checks.damages.length,
      ),
    start: () => {
      if (config.roles.has('jobs')) checks.start();
    },
    stop: () => checks.stop(),
  };
}
