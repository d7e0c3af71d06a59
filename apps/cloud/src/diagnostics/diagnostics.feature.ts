import type { Logger } from 'pino';
import type { Feature } from '../house/feature.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { diagnosticsRoutes } from './diagnostics.routes.ts';
import { Diagnostics } from './diagnostics.service.ts';

/** What browsers tell of themselves. */
export function openDiagnostics(of: { log: Logger; metrics: Metrics }): Feature<Diagnostics> {
  const diagnostics = new Diagnostics(of.log, of.metrics);
  return {
    name: 'diagnostics',
    service: diagnostics,
    routes: (app) => diagnosticsRoutes(app, diagnostics),
  };
}
