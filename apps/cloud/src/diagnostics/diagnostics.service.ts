import type { FrontendError } from '@albedo/contract/diagnostics/diagnostics.schema';
import type { Logger } from 'pino';
import { pathForLog } from '../errors/plain.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** Whose browser it is; of the person only the id is kept. */
export interface Viewer {
  workgroup: string;
  userId: string;
}

/** What browsers tell of themselves: a line in the log and a count, nothing more. */
export class Diagnostics {
  readonly #log: Logger;
  readonly #views: { inc(): void };
  readonly #errors: { inc(): void };

  constructor(log: Logger, metrics: Metrics) {
    this.#log = log;
    this.#views = metrics.counter('albedo_page_views_total', 'Pages of the web app that people looked at.');
    this.#errors = metrics.counter('albedo_frontend_errors_total', 'Failures that browsers reported.');
  }

  view(viewer: Viewer, location: string): void {
    this.#views.inc();
    this.#log.info({ ...viewer, location: pathForLog(location) }, 'page view');
  }

  error(viewer: Viewer, { location, message, stack, context }: FrontendError): void {
    this.#errors.inc();
    const told = { location: pathForLog(location), problem: message, stack, context };
    this.#log.warn({ ...viewer, ...told }, 'a browser reports a failure');
  }
}
