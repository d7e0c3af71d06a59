import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { Audit } from '../audit/audit.service.ts';
import type { Feature } from '../house/feature.ts';
import type { FindingSource } from '../house/finding.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { diagnosticsRoutes } from './diagnostics.routes.ts';
import { Diagnostics } from './diagnostics.service.ts';
import { diagnosticsPart } from './diagnostics.tables.ts';
import { ErrorsStore } from './errors.store.ts';
import { Findings } from './findings.service.ts';
import { PagesStore } from './pages.store.ts';

/** Browser errors and page use for the staff, and the findings of all features for those who look after a workgroup. */
export function openDiagnostics(of: {
  postgres: Postgres;
  audit: Audit;
  sockets: Sockets;
  log: Logger;
  metrics: Metrics;
  /** The finding sources of all features, also of those that open later. */
  findings: () => readonly FindingSource[];
}): Feature<Diagnostics> {
  const { postgres, sockets, log } = of;
  const now = () => Date.now();
  const diagnostics = new Diagnostics({
    ...of,
    errors: new ErrorsStore(postgres),
    pages: new PagesStore(postgres),
    onChange: () => sockets.tellList('browser-errors', null),
    now,
  });
  const findings = new Findings({ sources: of.findings, log, now });
  return {
    name: 'diagnostics',
    service: diagnostics,
    workgroupPart: { tables: diagnosticsPart },
    routes: (app) => diagnosticsRoutes(app, { diagnostics, findings }),
    jobs: (jobs) => jobs.add(diagnostics.forgetting),
    stop: () => diagnostics.stop(),
  };
}
