import type {
  BoardAnswer,
  BoardQuestion,
  LastQuestion,
  SeriesQuestion,
} from '@albedo/contract/boards/answers.schema';
import { searchQuery } from '@albedo/contract/telemetry/search.schema';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import type { Logger } from 'pino';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../errors/app-error.ts';
import type { Telemetry, TelemetryReader } from '../telemetry/telemetry.service.ts';
import { combined, intervalFor, scaled } from './combine.ts';
import { statesOf } from './states.ts';

/** Questions of one board that are with the store at the same time. */
const AT_ONCE = 4;
/** After so long a question is a slow one, ms: it is waited for, and its place is given to the next one. */
const PATIENCE_MS = 250;
/** Slow questions of one board beside those; with more of them the next one waits. */
const MOST_SLOW = 8;
/** Series that one question to the store may have. */
const SERIES_AT_ONCE = 50;

/** Answers what the widgets of a board ask, as the caller can see it. */
export class Answers {
  readonly #telemetry: Telemetry;
  readonly #log: Logger;

  constructor({ telemetry, log }: { telemetry: Telemetry; log: Logger }) {
    this.#telemetry = telemetry;
    this.#log = log;
  }

  /** Tells each answer as soon as it is there; a failure is the answer of its question alone. */
  async tell(
    caller: Caller,
    questions: readonly BoardQuestion[],
    signal: AbortSignal,
    answered: (answer: BoardAnswer) => void,
  ): Promise<void> {
    const reader = this.#telemetry.for(caller);
    const left = [...questions];
    const slow = new Set<Promise<void>>();
    const work = async () => {
      for (let next = left.shift(); next && !signal.aborted; next = left.shift()) {
        const one = this.#answer(reader, next, signal).then(answered);
        if ((await isWithin(one, PATIENCE_MS)) || slow.size >= MOST_SLOW) await one;
        else {
          slow.add(one);
          // Its failure is that of all, below.
          one.finally(() => slow.delete(one)).catch(() => {});
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await Promise.all(slow);
  }

  /** All answers in the order of their questions. */
  async all(
    caller: Caller,
    questions: readonly BoardQuestion[],
    signal: AbortSignal,
  ): Promise<BoardAnswer[]> {
    const answers = new Map<string, BoardAnswer>();
    await this.tell(caller, questions, signal, (answer) => answers.set(answer.id, answer));
    return questions.flatMap(({ id }) => answers.get(id) ?? []);
  }

  async #answer(reader: TelemetryReader, question: BoardQuestion, signal: AbortSignal): Promise<BoardAnswer> {
    const { id } = question;
    try {
      if (question.kind === 'search')
        return { id, result: await reader.search(question.table, question.query, signal) };
      if (question.kind === 'states') return { id, states: await statesOf(reader, question, signal) };
      if (question.kind === 'last') return { id, values: await lastOf(reader, question, signal) };
      return { id, points: await seriesOf(reader, question, signal) };
    } catch (failure) {
      if (failure instanceof AppError) {
        const { message, error } = failure.body;
        return { id, error: { message, error } };
      }
      if (!signal.aborted) this.#log.error({ err: failure }, 'a question of a dashboard failed');
      const { message, error } = new AppError('server.failed').body;
      return { id, error: { message, error } };
    }
  }
}

/** Whether it ends within that time. Rejects as it does. */
async function isWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function seriesOf(
  reader: TelemetryReader,
  { series, from, to, maxPoints, interval, timezone, function: fn }: SeriesQuestion,
  signal: AbortSignal,
): Promise<SeriesPoints[]> {
  // What is combined needs instants in common.
  const areCombined = series.some(({ streams }) => streams.length > 1);
  const cut = interval ?? (areCombined ? intervalFor(to - from, maxPoints) : undefined);
  const streams = series.flatMap(({ streams: own, span, timezone: clock = timezone }) =>
    own.map((stream) => ({ ...stream, span, clock })),
  );
  const found: SeriesPoints[] = [];
  for (const places of questionsOf(streams.map(({ clock }) => clock))) {
    const part = places.flatMap((place) => streams[place] ?? []);
    const keys = part.map(({ device, table, source, field, span }) => ({
      device,
      table,
      source,
      field,
      span,
    }));
    const clock = part[0]?.clock ?? timezone;
    const asked = {
      ...{ from, to, series: keys, maxPoints: Math.max(10, maxPoints) },
      ...{ timezone: clock, function: fn },
    };
    const points = await reader.series(cut === undefined ? asked : { ...asked, interval: cut }, signal);
    points.forEach((one, i) => {
      // A count has no unit that could be another one.
      const { factor, offset } =
        fn === 'count' ? { factor: 1, offset: 0 } : (part[i] ?? { factor: 1, offset: 0 });
      found[places[i] ?? 0] = scaled(one, factor, isDifference(fn) ? 0 : offset);
    });
  }
  let at = 0;
  return series.map(({ streams: own, combine, weights, span = { from, to } }) => {
    const points = found.slice(at, at + own.length);
    at += own.length;
    // Sums and the like are of their intervals: each counts once.
    return combined(points, combine, weights, fn === 'average' ? span : undefined);
  });
}

/** The places of the streams that go to the store together: they share a clock, and are not too many. */
function questionsOf(clocks: readonly string[]): number[][] {
  const places = Map.groupBy(clocks.keys(), (place) => clocks[place]);
  return [...places.values()].flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / SERIES_AT_ONCE) }, (_, i) =>
      own.slice(i * SERIES_AT_ONCE, (i + 1) * SERIES_AT_ONCE),
    ),
  );
}

/** What stays the same wherever zero is. */
const isDifference = (fn: SeriesQuestion['function']): boolean =>
  fn === 'difference' || fn === 'stdDeviation';

/** The newest values of each stream as they came; a stream that is not there has none. */
async function lastOf(
  reader: TelemetryReader,
  { streams, count }: LastQuestion,
  signal: AbortSignal,
): Promise<{ at: number; value: number | string }[][]> {
  const all: { at: number; value: number | string }[][] = [];
  for (const { device, table, source, field } of streams) {
    const query = searchQuery.parse({
      filters: [
        { field: 'device', operator: '=', value: device },
        { field: 'source', operator: '=', value: source },
        { field, operator: 'EXISTS' },
      ],
      timeframe: 'all-time',
      sort: '-event_time',
      rows: count,
      fields: ['event_time', field],
    });
    const { records } = await reader.search(table, query, signal);
    all.push(
      records.flatMap((one) => {
        const value = one[field];
        return value === null || value === undefined
          ? []
          : [{ at: Date.parse(String(one.event_time)), value }];
      }),
    );
  }
  return all;
}
