import type { BoardAnswer, BoardQuestion, LastQuestion } from '@albedo/contract/boards/answers.schema';
import { searchQuery } from '@albedo/contract/telemetry/search.schema';
import type { Logger } from 'pino';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../errors/app-error.ts';
import type { Telemetry, TelemetryReader } from '../telemetry/telemetry.service.ts';
import { statesOf } from './states.ts';

/** Questions of one board that are with the store at the same time. */
const AT_ONCE = 4;
/** After so long a question is a slow one, ms: it is waited for, and its place is given to the next one. */
const PATIENCE_MS = 250;
/** Slow questions of one board beside those; with more of them the next one waits. */
const MOST_SLOW = 8;

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
      const { series: combined, from, to, maxPoints, interval, timezone, function: of } = question;
      const cut = interval === undefined ? {} : { interval };
      const asked = { from, to, series: [], combined, maxPoints, ...cut, timezone, function: of };
      return { id, points: await reader.series(asked, signal) };
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
