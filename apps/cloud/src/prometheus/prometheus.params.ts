import { durationMs } from './promql.durations.ts';
import { PromqlFault } from './promql.fault.ts';
import { type Matcher, parseSelector } from './promql.parse.ts';

/** The years 0 to 9999: what lies outside is no date anywhere. */
const [EARLIEST, LATEST] = [Date.UTC(1, 0), Date.UTC(9999, 0)];

/** A value stands for so long after its event; devices that report every quarter of an hour draw whole lines. ms. */
const LOOKBACK_MS = 15 * 60_000;
const LONGEST_LOOKBACK_MS = 31 * 86_400_000;

/** An instant, epoch ms. Throws `PromqlFault` with the name of the parameter. */
export function instantIn(name: string, text: string | undefined, missing?: number): number {
  if (text === undefined || text === '') {
    if (missing !== undefined) return missing;
    throw new PromqlFault(`invalid parameter "${name}": it is missing`);
  }
  const isNumber = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text);
  const ms = isNumber ? Math.round(Number(text) * 1000) : isDate ? Date.parse(text) : Number.NaN;
  if (!(ms >= EARLIEST && ms <= LATEST))
    throw new PromqlFault(
      `invalid parameter "${name}": cannot parse ${JSON.stringify(text.slice(0, 100))} to a valid timestamp`,
    );
  return ms;
}

function durationIn(name: string, text: string): number {
  const ms =
    durationMs(text) ?? (/^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) * 1000 : Number.NaN);
  if (!(ms >= 1) || ms > 100 * 366 * 86_400_000)
    throw new PromqlFault(
      `invalid parameter "${name}": cannot parse ${JSON.stringify(text.slice(0, 100))} to a duration greater than zero`,
    );
  return Math.round(ms);
}

export function demandedQuery(text: string | undefined): string {
  if (text === undefined || text.trim() === '')
    throw new PromqlFault(
      'invalid parameter "query": unknown position: parse error: no expression found in input',
    );
  return text;
}

export function rangeIn(given: Record<'start' | 'end' | 'step', string | undefined>) {
  const start = instantIn('start', given.start);
  const end = instantIn('end', given.end);
  if (end < start)
    throw new PromqlFault('invalid parameter "end": end timestamp must not be before start time');
  if (given.step === undefined || given.step === '')
    throw new PromqlFault('invalid parameter "step": it is missing');
  return { start, end, stepMs: durationIn('step', given.step) };
}

export function lookbackIn(text: string | undefined): number {
  if (text === undefined || text === '') return LOOKBACK_MS;
  return Math.min(LONGEST_LOOKBACK_MS, durationIn('lookback_delta', text));
}

/** Each `match[]` as the matchers of its selector. */
export function selectorsIn(given: string | string[] | undefined): Matcher[][] {
  const texts = given === undefined ? [] : [given].flat();
  return texts.map((text) => parseSelector(text).matchers);
}

/** The first so many; 0 or nothing for all. */
export function limited<T>(all: readonly T[], text: string | undefined): readonly T[] {
  const count = Number(text ?? 0);
  if (!Number.isInteger(count) || count < 0) throw new PromqlFault('invalid parameter "limit": not a count');
  return count === 0 ? all : all.slice(0, count);
}
