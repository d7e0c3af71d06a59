import type { SearchQuery } from '@albedo/contract/telemetry/search.schema';
import { searchQuery } from '@albedo/contract/telemetry/search.schema';
import { AppError } from '../errors/app-error.ts';
import type { TelemetryReader } from '../telemetry/telemetry.service.ts';
import { exceeds, type Rule } from './alert-rules.ts';
import type { Value } from './conditions.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A source that stopped longer ago is one that is gone. */
const EXPECTED_MS = 7 * DAY_MS;
/** Sources that a peer is compared with, at least; and the part of the best of them that the median has to reach. */
const PEERS = 3;
const DARK = 0.02;
/** A deviation is one of the mean over so long. */
const DEVIATION_MINUTES = 15;
/** Aggregations of one search. */
const AGGS = 20;

/** Of the time of `stuck` the first half is the span that is read, the second that in which it stays so. */
export const stuckMinutes = (forMinutes: number): number => Math.ceil(forMinutes / 2);

/** What a round says of one source. `holds` null: nothing is known. */
export interface Reading {
  device: string;
  source: string;
  holds: boolean | null;
  value: Value;
  limit: Value;
  /** Since when, epoch ms; null for this round. */
  since: number | null;
}

/** What came of one alert in a round: readings, or why it could not be evaluated. */
export type Round = { rule: Rule; readings: Reading[] } | { rule: Rule; error: string };

/** All alerts of one table that need the store, in as few questions as there are spans. `now`: epoch ms. */
export async function readRound(
  reader: TelemetryReader,
  table: string,
  rules: readonly Rule[],
  now: number,
): Promise<Round[]> {
  const rounds: Round[] = [];
  const bySpan = Map.groupBy(
    rules.flatMap((rule) => questionOf(rule)),
    ({ minutes, delayMs, filters }) => JSON.stringify([minutes, delayMs, filters]),
  );
  for (const questions of bySpan.values())
    for (let at = 0; at < questions.length; at += AGGS)
      rounds.push(...(await ask(reader, table, questions.slice(at, at + AGGS), now)));
  const absent = rules.filter(({ content }) => content.kind === 'absent');
  if (absent.length > 0) rounds.push(...(await readAbsent(reader, table, absent, now)));
  return rounds;
}

/** What has to be asked for a rule: one aggregation, or two. */
interface Question {
  rule: Rule;
  minutes: number;
  delayMs: number;
  filters: Pick<SearchQuery, 'filters' | 'filterOperator'>;
  aggs: { name: string; type: string; field: string }[];
}

function questionOf(rule: Rule): Question[] {
  const { kind, aggregate, field, conditions, operator, forMinutes } = rule.content;
  const plain = { rule, delayMs: rule.delayMs, filters: { filters: [], filterOperator: 'AND' as const } };
  if (kind === 'query' && aggregate)
    return [
      {
        ...plain,
        minutes: aggregate.overMinutes,
        filters: { filters: conditions, filterOperator: operator },
        aggs: [{ name: 'value', type: aggregate.function, field: aggregate.field }],
      },
    ];
  if (kind === 'deviation' && field)
    return [{ ...plain, minutes: DEVIATION_MINUTES, aggs: [{ name: 'mean', type: 'average', field }] }];
  if (kind === 'stuck' && field)
    return [
      {
        ...plain,
        minutes: stuckMinutes(forMinutes),
        aggs: [
          { name: 'min', type: 'min', field },
          { name: 'max', type: 'max', field },
        ],
      },
    ];
  return [];
}

interface Bucket {
  key: unknown;
  doc_count: number;
  buckets?: Bucket[];
  [name: string]: unknown;
}

/** Values by device and source, and by the name of the aggregation. */
type Values = Map<string, { device: string; source: string; count: number; of: Map<string, Value> }>;

async function ask(
  reader: TelemetryReader,
  table: string,
  questions: readonly Question[],
  now: number,
): Promise<Round[]> {
  const [first] = questions;
  if (!first) return [];
  const to = now - first.delayMs;
  try {
    const aggs = questions.flatMap(({ aggs: own }, i) =>
      own.map(({ name, ...of }) => ({ ...of, name: `${name}${i}`, groupBy: ['device', 'source'] })),
    );
    const query = searchQuery.parse({
      ...first.filters,
      timeframe: { from: to - first.minutes * MINUTE_MS, to },
      rows: 0,
      aggs,
    });
    const { aggregations } = await reader.search(table, query);
    return questions.map(({ rule, aggs: own }, i) => {
      const values: Values = new Map();
      for (const { name } of own)
        read(values, name, aggregations[`${name}${i}`]?.buckets as Bucket[] | undefined, `${name}${i}`);
      return { rule, readings: readingsOf(rule, values) };
    });
  } catch (error) {
    // One that cannot be asked together with others is asked alone, so that it fails alone.
    if (questions.length > 1) {
      const alone: Round[] = [];
      for (const one of questions) alone.push(...(await ask(reader, table, [one], now)));
      return alone;
    }
    return [{ rule: first.rule, error: whyOf(error) }];
  }
}

function read(values: Values, name: string, buckets: Bucket[] | undefined, at: string): void {
  for (const { key: device, buckets: sources = [] } of buckets ?? [])
    for (const bucket of sources) {
      const key = `${device} ${bucket.key}`;
      const own = values.get(key) ?? {
        device: String(device),
        source: String(bucket.key),
        count: 0,
        of: new Map(),
      };
      own.count = Math.max(own.count, bucket.doc_count);
      own.of.set(name, ((bucket[at] as { value?: Value } | undefined)?.value ?? null) as Value);
      values.set(key, own);
    }
}

function readingsOf(rule: Rule, values: Values): Reading[] {
  const { kind, aggregate } = rule.content;
  const all = [...values.values()].filter(({ device, source }) => rule.inScope(device, source));
  if (kind === 'deviation') return deviationsOf(rule, all);
  return all.map(({ device, source, count, of }) => {
    if (kind === 'stuck') {
      const [min, max] = [of.get('min') ?? null, of.get('max') ?? null];
      const holds = min === null || count < 3 ? null : min === max;
      return { device, source, holds, value: max, limit: rule.content.forMinutes, since: null };
    }
    const value = of.get('value') ?? null;
    const holds = typeof value === 'number' && aggregate ? exceeds(aggregate, value) : null;
    return { device, source, holds, value, limit: aggregate?.value ?? null, since: null };
  });
}

/** Each against the median of the sources of its device. In the dark, or without peers, nothing is known. */
function deviationsOf(
  rule: Rule,
  all: readonly { device: string; source: string; of: Map<string, Value> }[],
): Reading[] {
  const percent = rule.content.percent ?? 100;
  return [...Map.groupBy(all, ({ device }) => device).values()].flatMap((peers) => {
    const means = peers.flatMap(({ of }) =>
      typeof of.get('mean') === 'number' ? [of.get('mean') as number] : [],
    );
    const median = medianOf(means);
    const most = Math.max(0, ...means);
    const isDark = means.length < PEERS || median === null || median <= most * DARK || median <= 0;
    return peers.map(({ device, source, of }) => {
      const value = of.get('mean') ?? null;
      const holds = isDark || typeof value !== 'number' ? null : value < (median * percent) / 100;
      return { device, source, holds, value, limit: median, since: null };
    });
  });
}

function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

async function readAbsent(
  reader: TelemetryReader,
  table: string,
  rules: readonly Rule[],
  now: number,
): Promise<Round[]> {
  try {
    const latest = await reader.latestIn([table]);
    return rules.map((rule) => ({
      rule,
      readings: latest
        .filter(({ device, source, eventAt }) => now - eventAt < EXPECTED_MS && rule.inScope(device, source))
        .map(({ device, source, eventAt }) => ({
          device,
          source,
          holds: now - eventAt >= Math.max(rule.durations.forMs, MINUTE_MS) + rule.delayMs,
          value: Math.round((now - eventAt) / MINUTE_MS),
          limit: rule.content.forMinutes,
          since: eventAt,
        })),
    }));
  } catch (error) {
    return rules.map((rule) => ({ rule, error: whyOf(error) }));
  }
}

/** Never what the engine said of our question: it is no sentence for people. */
const whyOf = (error: unknown): string =>
  error instanceof AppError ? error.message : 'The store of measurements did not answer.';
