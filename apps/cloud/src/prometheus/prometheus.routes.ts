import { FRONTEND_VERSION } from '@albedo/contract/product';
import { prometheusApi } from '@albedo/contract/prometheus/prometheus.api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { AppError } from '../errors/app-error.ts';
import { bind, type Call } from '../http/bind.ts';
import { handleError, toAppError } from '../http/errors.ts';
import { formOf } from '../http/form-text.ts';
import { demandedQuery, instantIn, limited, lookbackIn, rangeIn, selectorsIn } from './prometheus.params.ts';
import { type Prometheus, written } from './prometheus.service.ts';
import { LABEL_NAMES } from './prometheus.streams.ts';
import { PromqlFault } from './promql.fault.ts';

type Asking = Pick<Call, 'workgroup' | 'session' | 'scope' | 'signal' | 'reply'>;
type Answer = { status: 'success' | 'error'; data: unknown };
type InstantAsked = Record<'query' | 'time' | 'lookback_delta', string | undefined>;
type RangeAsked = Record<'query' | 'start' | 'end' | 'step' | 'lookback_delta', string | undefined>;
interface SeriesAsked {
  'match[]'?: string | string[] | undefined;
  limit?: string | undefined;
}

export function prometheusRoutes(app: FastifyInstance, prometheus: Prometheus): void {
  const query = (call: Asking, asked: Partial<InstantAsked>) =>
    answered(call.reply, async () => {
      const time = instantIn('time', asked.time, Date.now());
      const range = { start: time, end: time, stepMs: 1000, lookbackMs: lookbackIn(asked.lookback_delta) };
      const value = await prometheus.query(
        callerOf(call),
        { query: demandedQuery(asked.query), ...range },
        call.signal,
      );
      return written(value, [time], false);
    });
  const range = (call: Asking, asked: Partial<RangeAsked>) =>
    answered(call.reply, async () => {
      const { start, end, step } = { start: undefined, end: undefined, step: undefined, ...asked };
      const span = rangeIn({ start, end, step });
      const lookbackMs = lookbackIn(asked.lookback_delta);
      const value = await prometheus.query(
        callerOf(call),
        { query: demandedQuery(asked.query), ...span, lookbackMs },
        call.signal,
      );
      const count = Math.floor((span.end - span.start) / span.stepMs) + 1;
      const times = Array.from({ length: count }, (_one, i) => span.start + i * span.stepMs);
      return written(value, times, true);
    });
  const labels = (call: Asking, asked: SeriesAsked) =>
    answered(call.reply, async () => {
      const all = await prometheus.series(callerOf(call), selectorsIn(asked['match[]']), call.signal);
      return limited(all.length > 0 ? LABEL_NAMES : [], asked.limit);
    });
  const series = (call: Asking, asked: SeriesAsked) =>
    answered(call.reply, async () => {
      const selectors = selectorsIn(asked['match[]']);
      if (selectors.length === 0) throw new PromqlFault('no match[] parameter provided');
      return limited(await prometheus.series(callerOf(call), selectors, call.signal), asked.limit);
    });
  const nothing = (call: Asking) => answered(call.reply, async () => []);

  // In a scope of its own: no other endpoint takes such forms.
  app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
      done(null, formOf(String(body))),
    );
    scope.setErrorHandler(refuseAsPrometheus);
    bind(
      scope,
      prometheusApi,
      {
        query: (call) => query(call, call.query),
        postQuery: (call) => query(call, call.body),
        range: (call) => range(call, call.query),
        postRange: (call) => range(call, call.body),
        labels: (call) => labels(call, call.query),
        postLabels: (call) => labels(call, call.body),
        labelValues: (call) =>
          answered(call.reply, async () => {
            const selectors = selectorsIn(call.query['match[]']);
            const label = labelIn(call.params.label);
            return limited(
              await prometheus.labelValues(callerOf(call), label, selectors, call.signal),
              call.query.limit,
            );
          }),
        series: (call) => series(call, call.query),
        postSeries: (call) => series(call, call.body),
        metadata: (call) =>
          answered(call.reply, async () => {
            const all = [...(await prometheus.metadata(callerOf(call)))];
            const { metric, limit } = call.query;
            const wanted = metric ? all.filter(([name]) => name === metric) : all;
            return Object.fromEntries(limited(wanted, limit && Number(limit) < 0 ? '0' : limit));
          }),
        buildinfo: (call) =>
          answered(call.reply, async () => ({
            version: SPOKEN,
            revision: FRONTEND_VERSION,
            application: 'Albedo',
          })),
        rules: (call) => answered(call.reply, async () => ({ groups: [] })),
        exemplars: nothing,
        postExemplars: nothing,
      },
      // Answers of a million points pass through no schema; a test holds them to theirs.
      { trusted: Object.keys(prometheusApi) as (keyof typeof prometheusApi)[] },
    );
  });
}

const FORM = 'application/x-www-form-urlencoded';
/** Data sources ask which release they speak to, and leave out what came later. */
const SPOKEN = '2.45.0';

/** Grafana writes names that are no words as `U__` with the other letters as their code points between underscores. */
function labelIn(name: string): string {
  if (!name.startsWith('U__')) return name;
  return name
    .slice(3)
    .replaceAll(/_([0-9a-f]{1,6})_/gi, (_whole, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
    .replaceAll('__', '_');
}

/** Failures that a query can have are said as Prometheus says them. */
async function answered(reply: FastifyReply, task: () => Promise<unknown>): Promise<Answer> {
  try {
    return { status: 'success', data: await task() };
  } catch (error) {
    if (error instanceof PromqlFault)
      return failed(reply, error.type === 'bad_data' ? 400 : 422, error.type, error.message);
    if (error instanceof AppError && error.error === 'search.timed_out')
      return failed(reply, 503, 'timeout', 'query timed out in query execution');
    if (error instanceof AppError && error.error === 'search.too_much')
      return failed(reply, 422, 'execution', 'query processing would load too many samples into memory');
    throw error;
  }
}

/** A parameter that its schema refuses is said as Prometheus says it too: data sources show nothing else. */
function refuseAsPrometheus(failure: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  const { status, message } = toAppError(failure, request);
  if (status !== 400) return handleError(failure, request, reply);
  return reply.send(failed(reply, status, 'bad_data', message));
}

function failed(reply: FastifyReply, status: number, errorType: string, error: string): Answer {
  reply.status(status);
  return { status: 'error', errorType, error, data: null } as Answer;
}
