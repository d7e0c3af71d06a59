import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { AUDIT_STREAM } from '../audit/audit.service.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import type { StoredRun, Telemetry } from '../telemetry/telemetry.service.ts';
import { completenessRoutes } from './completeness.routes.ts';
import { Ledger } from './completeness.service.ts';

/** What of each device was captured, sent and stored, and every gap. The process that takes data in writes it. */
export function openCompleteness(of: {
  config: Config;
  postgres: Postgres;
  telemetry: Telemetry;
  log: Logger;
}): Feature<Ledger> {
  const { config, postgres, telemetry, log } = of;
  const ledger = new Ledger({
    postgres,
    telemetry: { storedSince: (at) => ofDevices(telemetry, at) },
    log,
    isReader: !config.roles.has('ingest'),
  });
  return {
    name: 'completeness',
    service: ledger,
    routes: (app) => completenessRoutes(app, ledger),
    start: () => ledger.start(),
    stop: () => ledger.stop(),
  };
}

/** What devices sent: the audit log that the cloud writes has numbers of its own. */
async function* ofDevices(telemetry: Telemetry, at: number): AsyncGenerator<StoredRun> {
  for await (const run of telemetry.asSystem('ledger').storedSince(at)) {
    if (run.table !== AUDIT_STREAM.table || run.source !== AUDIT_STREAM.source) yield run;
  }
}
