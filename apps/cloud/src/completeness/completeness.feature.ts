import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { AUDIT_STREAM } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import { sharesDevices } from '../shards/shards.config.ts';
import type { StoredRun, Telemetry } from '../telemetry/telemetry.service.ts';
import { completenessFindings } from './completeness.findings.ts';
import { completenessRoutes } from './completeness.routes.ts';
import { Ledger } from './completeness.service.ts';
import { completenessPart } from './completeness.tables.ts';
import { CompletenessFindingsStore } from './completeness-findings.store.ts';
import { ScrubStore } from './scrub.store.ts';
import { Scrub, storeScrubbed } from './scrub.ts';

/** What of each device was captured, sent and stored, and every gap. The processes that take data in write it. */
export function openCompleteness(of: {
  config: Config;
  postgres: Postgres;
  telemetry: Telemetry;
  bus: Bus;
  log: Logger;
}): Feature<Ledger> {
  const { config, postgres, telemetry, bus, log } = of;
  const scrub = new Scrub({
    engine: telemetry.asSystem('scrub'),
    store: new ScrubStore(postgres),
    bus,
    log,
  });
  const ledger = new Ledger({
    postgres,
    telemetry: { storedSince: (...since) => ofDevices(telemetry, ...since) },
    log,
    keeps: keptBy(config),
  });
  return {
    name: 'completeness',
    service: ledger,
    workgroupPart: { tables: completenessPart },
    findings: completenessFindings(new CompletenessFindingsStore(postgres)),
    routes: (app) => completenessRoutes(app, ledger),
    hears: [hear(storeScrubbed, ({ device, gaps }) => ledger.noteStoreLoss(device, gaps))],
    jobs: (jobs) => jobs.add(scrub.job),
    start: () => ledger.start(),
    stop: () => ledger.stop(),
  };
}

function keptBy(config: Config): 'everything' | 'shards' | 'nothing' {
  if (!config.roles.has('ingest')) return 'nothing';
  return sharesDevices(config) ? 'shards' : 'everything';
}

/** What devices sent: the audit log that the cloud writes has numbers of its own. */
async function* ofDevices(
  telemetry: Telemetry,
  ...since: [at: number, shards: readonly string[] | null]
): AsyncGenerator<StoredRun> {
  for await (const run of telemetry.asSystem('ledger').storedSince(...since)) {
    if (run.table !== AUDIT_STREAM.table || run.source !== AUDIT_STREAM.source) yield run;
  }
}
