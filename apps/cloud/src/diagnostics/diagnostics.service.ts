import { BAR_DAYS } from '@albedo/contract/diagnostics/diagnostics.names';
import type {
  BrowserError,
  BrowserErrorDetail,
  FrontendError,
  PagesByUse,
  PageView,
} from '@albedo/contract/diagnostics/diagnostics.schema';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { type Audit, PROVIDER_LOG } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { defineJob } from '../jobs/job.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { ErrorTally, type Viewer } from './error-tally.ts';
import type { ErrorCounts, ErrorFilter, ErrorRow, ErrorsStore } from './errors.store.ts';
import { PageTally } from './page-tally.ts';
import type { PagesStore, UseRow } from './pages.store.ts';
import { scrubbed, scrubbedPath } from './scrubbed.ts';

const DAY_MS = 86_400_000;
/** Counts are collected this long and then written together, ms. */
const WRITE_MS = 2000;

export interface DiagnosticsOptions {
  errors: ErrorsStore;
  pages: PagesStore;
  audit: Pick<Audit, 'record'>;
  /** The list of errors has changed. */
  onChange: () => void;
  metrics: Metrics;
  log: Logger;
  now: () => number;
}

/** Errors that browsers report, and which pages people use. */
export class Diagnostics {
  readonly #options: DiagnosticsOptions;
  readonly #errorTally = new ErrorTally();
  readonly #pageTally = new PageTally();
  readonly #counters: Record<'views' | 'errors' | 'dropped', { inc(): void }>;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  readonly forgetting = defineJob({
    name: 'diagnostics-forget',
    payload: z.object({}),
    limitS: 600,
    retry: { times: 3, afterS: 60, atMostS: 600 },
    schedule: { cron: '50 3 * * *', zone: 'UTC', payload: {} },
    run: () => this.forget(),
  });

  constructor(options: DiagnosticsOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#counters = {
      views: metrics.counter('albedo_page_views_total', 'Pages of the web app that people looked at.'),
      errors: metrics.counter('albedo_frontend_errors_total', 'Failures that browsers reported.'),
      dropped: metrics.counter(
        'albedo_frontend_errors_dropped_total',
        'Failures that browsers reported and that are not kept, because they were too many of one person or at once.',
      ),
    };
  }

  view(viewer: Viewer, view: PageView): void {
    if (view.seconds === undefined) this.#counters.views.inc();
    this.#pageTally.add(viewer, view, this.#options.now());
    this.#writeSoon();
  }

  error(viewer: Viewer, failure: FrontendError, agent: string): void {
    this.#counters.errors.inc();
    if (this.#errorTally.add(viewer, failure, agent, this.#options.now())) this.#writeSoon();
    else this.#counters.dropped.inc();
    const { location, message, context } = failure;
    const what = { location: scrubbedPath(location), problem: scrubbed(message), version: context.version };
    this.#options.log.debug({ ...viewer, ...what }, 'a browser reports a failure');
  }

  /** Writes the counts. What cannot be written is lost: these are statistics, not records. */
  write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  stop(): Promise<void> {
    return this.write();
  }

  /** Newest first. */
  async list(filter: ErrorFilter): Promise<BrowserError[]> {
    await this.write();
    const { errors } = this.#options;
    const [rows, counts] = await Promise.all([errors.list(), errors.counts(this.#today(), filter)]);
    const countsOf = new Map(counts.map((row) => [row.error, row]));
    return rows.flatMap((row) => {
      const rowCounts = countsOf.get(row.id);
      return rowCounts ? [shown(row, rowCounts)] : [];
    });
  }

  /** Throws `browser_error.not_found`. */
  async get(id: string): Promise<BrowserErrorDetail> {
    await this.write();
    const { errors } = this.#options;
    const today = this.#today();
    const row = await errors.find(id);
    if (!row) throw new AppError('browser_error.not_found');
    const [[counts], byVersion, byWorkgroup, byBrowser, places] = await Promise.all([
      errors.counts(today, {}, id),
      errors.countsBy(id, today, 'version'),
      errors.countsBy(id, today, 'workgroup'),
      errors.countsBy(id, today, 'browser'),
      errors.places(id),
    ]);
    const detail = { stack: row.stack, byVersion, byWorkgroup, byBrowser, places };
    return { ...shown(row, counts ?? { ...NOTHING, error: id }), ...detail };
  }

  /** A resolved error opens again when this version or a later one reports it. Throws `browser_error.not_found`. */
  async setResolved(id: string, isResolved: boolean, { email, address }: Actor): Promise<BrowserErrorDetail> {
    await this.write();
    const { errors, audit, now, onChange } = this.#options;
    const isThere = await errors.setResolved(id, isResolved ? { by: email, at: new Date(now()) } : null);
    if (!isThere) throw new AppError('browser_error.not_found');
    const detail = await this.get(id);
    audit.record({
      workgroup: PROVIDER_LOG,
      at: now(),
      controller: 'browser error',
      entity: detail.message.slice(0, 200),
      action: isResolved ? 'resolve' : 'reopen',
      by: email,
      address,
    });
    onChange();
    return detail;
  }

  async pages(days: number, ofWorkgroup: string | undefined): Promise<PagesByUse> {
    await this.write();
    const { pages } = this.#options;
    const of = { today: this.#today(), days, ofWorkgroup };
    const [[all], byPage, byWorkgroup] = await Promise.all([
      pages.uses(of, null),
      pages.uses(of, 'page'),
      // All workgroups, since the filter offers them.
      pages.uses({ ...of, ofWorkgroup: undefined }, 'workgroup'),
    ]);
    const used = ({ visits, people, seconds, days: by }: Omit<UseRow, 'name'>) => ({
      ...{ visits, people, seconds },
      days: inOrder(by, days),
    });
    return {
      all: used(all ?? { visits: 0, people: 0, seconds: 0, days: {} }),
      pages: byPage.map((row) => ({ page: row.name, ...used(row) })),
      workgroups: byWorkgroup.map((row) => ({ workgroup: row.name, ...used(row) })),
    };
  }

  async forget(): Promise<void> {
    const { errors, pages } = this.#options;
    await errors.forget(this.#today());
    await pages.forget(this.#today());
  }

  #today(): number {
    return Math.floor(this.#options.now() / DAY_MS);
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.write(), WRITE_MS).unref();
  }

  async #write(): Promise<void> {
    const { errors, pages, log, onChange } = this.#options;
    const [reported, used] = [this.#errorTally.take(), this.#pageTally.take()];
    const lost = (err: unknown) => log.error({ err }, 'what browsers tell could not be written down');
    // If one cannot be written, the other still is.
    if (reported.length > 0) await errors.add(reported).catch(lost);
    if (used.length > 0) await pages.add(used).catch(lost);
    if (reported.length > 0) onChange();
  }
}

const BY_NAME = new Intl.Collator('en', { numeric: true });

const NOTHING: Omit<ErrorCounts, 'error'> = {
  count: 0,
  versions: [],
  workgroups: [],
  browsers: [],
  days: {},
};

function shown(row: Omit<ErrorRow, 'stack'>, counts: ErrorCounts): BrowserError {
  const { id, message, place, source, firstVersion, lastVersion, resolvedBy, returnedIn } = row;
  const resolvedAt = row.resolvedAt?.getTime() ?? null;
  const openState = row.returnedAt ? 'returned' : 'open';
  return {
    ...{ id, message, place, source, firstVersion, lastVersion, returnedIn, resolvedAt },
    count: counts.count,
    days: inOrder(counts.days, BAR_DAYS),
    firstAt: row.firstAt.getTime(),
    lastAt: row.lastAt.getTime(),
    versions: counts.versions.toSorted((a, b) => BY_NAME.compare(b, a)),
    workgroups: counts.workgroups.toSorted(BY_NAME.compare),
    browsers: counts.browsers.toSorted(BY_NAME.compare),
    state: resolvedAt === null ? openState : 'resolved',
    resolvedBy: resolvedAt === null ? null : resolvedBy,
  };
}

/** Oldest first. */
const inOrder = (byAge: Record<string, number>, days: number): number[] =>
  Array.from({ length: days }, (_, at) => byAge[days - 1 - at] ?? 0);
