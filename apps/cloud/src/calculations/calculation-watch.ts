import { createHash } from 'node:crypto';
import { COUNTER_RULE } from '@albedo/energy/counters';
import type { Beside, SourceSpan, Telemetry, Touched } from '../telemetry/telemetry.service.ts';
import {
  evaluationOf,
  intervalAt,
  SETTLE_MS,
  type Surroundings,
  stretchAt,
  stretchesOver,
  targetsOf,
  zoneAt,
} from './calculation-plan.ts';
import type { CalculationRow, CalculationsStore, NewWork, TargetRow } from './calculations.store.ts';

/** What was stored so long before the last look may not have been readable then, ms. */
const MARGIN_MS = 30_000;
/** What is older than this when it comes is late, ms. */
const LATE_MS = 2 * 3_600_000;
const DAY_MS = 86_400_000;
/** What is touched is told in quarters of an hour. */
const QUARTER_MS = 900_000;

/** Work of several entities that is gathered. */
type Gathered = NewWork & { set: Set<string> };

/** A calculation at the entities of one zone, and the work that new data of each instant makes there. */
interface Group {
  row: CalculationRow;
  zone: string;
  /** It has to do with counters: what they counted lies between two readings, however far apart. */
  isCounted: boolean;
  workAt: Map<number, Gathered[]>;
}

/** Who reads what of one source. */
interface Reader {
  group: Group;
  entity: string;
}

/**
 * Finds out which stretches of calculations are to be computed: by what was stored since the last look, and by what
 * became of definitions, entities, machines and roles. What it finds and how far it looked are written together, so
 * that a cut at any place loses nothing.
 */
export class CalculationWatch {
  readonly #store: CalculationsStore;
  readonly #telemetry: Telemetry;

  constructor(of: { store: CalculationsStore; telemetry: Telemetry }) {
    this.#store = of.store;
    this.#telemetry = of.telemetry;
  }

  async look(workgroup: string, around: Surroundings, signal?: AbortSignal): Promise<void> {
    const { now } = around;
    const [rows, known, watched] = await Promise.all([
      this.#store.list(workgroup),
      this.#store.targets(workgroup),
      this.#store.watchedUntil(workgroup),
    ]);
    const active = rows.filter(({ isActive }) => isActive);
    const seen = active.map((row) => targetsNow(row, around));
    const readers = readersOf(seen);
    const since = (watched ?? now) - MARGIN_MS;
    const telemetry = this.#telemetry.asSystem('calculations');
    const touched = await telemetry.touchedSince(workgroup, since, signal);
    const { whole, pauses } = countedTimes(touched, readers);
    const beside = whole.length > 0 ? await telemetry.pausesBeside(workgroup, whole, signal) : [];
    const work = touchedWork(touched, [...pauses, ...beside], readers, now);
    const changes = seen.map((one) => changedTargets(one, known, now));
    await this.#store.transaction(async (tx) => {
      for (const { row, gone, set, work: due } of changes) {
        await this.#store.setTargets(tx, set);
        await this.#store.removeTargets(tx, row.id, gone);
        work.push(...due);
      }
      await this.#store.addWork(tx, work);
      await this.#store.watched(tx, workgroup, now);
    });
  }
}

interface Targets {
  row: CalculationRow;
  isCounted: boolean;
  now: { target: TargetRow; sources: { device: string; table: string; source: string }[] }[];
}

function targetsNow(row: CalculationRow, around: Surroundings): Targets {
  const entities = targetsOf(row, [...around.entities.values()]);
  const { evaluation, kpi } = evaluationOf(row, around, { at: [], zone: 'UTC', stretches: [0, 1] });
  const isCounted = Object.values(kpi.values).some(
    (value) => value.kind === 'aggregate' && value.operator === 'difference',
  );
  // By another arithmetic everything is computed again.
  const rule = isCounted ? [`counters ${COUNTER_RULE}`] : [];
  const now = entities.map(({ _id }) => {
    const { streams, facts } = evaluation.inputsAt(_id);
    const text = streams
      .map((one) =>
        JSON.stringify([one.deviceId, one.table, one.source, one.field, one.units, one.factor, one.offset]),
      )
      .sort()
      .concat(rule)
      .join('\n');
    const target = {
      calculation: row.id,
      entity: _id,
      zone: zoneAt(around.entities, _id, around.now),
      version: row.version,
      streams: createHash('sha256').update(text).digest('base64'),
      facts,
    };
    const sources = streams.map(({ deviceId, table, source }) => ({ device: deviceId, table, source }));
    return { target, sources };
  });
  return { row, isCounted, now };
}

const keyOf = ({ device, table, source }: { device: string; table: string; source: string }): string =>
  `${device.toLowerCase()}\n${table}\n${source}`;

function readersOf(all: readonly Targets[]): Map<string, Reader[]> {
  const readers = new Map<string, Reader[]>();
  for (const { row, isCounted, now } of all) {
    const groups = new Map<string, Group>();
    for (const { target, sources } of now) {
      const { zone } = target;
      const group = groups.get(zone) ?? { row, zone, isCounted, workAt: new Map() };
      groups.set(zone, group);
      for (const key of new Set(sources.map(keyOf))) {
        const reader = { group, entity: target.entity };
        const kept = readers.get(key);
        if (kept) kept.push(reader);
        else readers.set(key, [reader]);
      }
    }
  }
  return readers;
}

/** Of each source of counters the time in which it was touched, and the pauses of more than a day within that. */
function countedTimes(
  touched: readonly Touched[],
  readers: ReadonlyMap<string, readonly Reader[]>,
): { whole: SourceSpan[]; pauses: Beside[] } {
  const whole: SourceSpan[] = [];
  const pauses: Beside[] = [];
  for (const [key, all] of Map.groupBy(touched, keyOf)) {
    if (!readers.get(key)?.some(({ group }) => group.isCounted)) continue;
    let span: SourceSpan | undefined;
    for (const { at, ...source } of all.toSorted((a, b) => a.at - b.at)) {
      const to = at + QUARTER_MS;
      if (span && at - span.to >= DAY_MS)
        pauses.push({ ...source, from: at, to, before: span.to - QUARTER_MS, after: null });
      if (span) span.to = to;
      else {
        span = { ...source, from: at, to };
        whole.push(span);
      }
    }
  }
  return { whole, pauses };
}

/**
 * Stretches that new data touches. A value counts for its own stretch, and by the time between two values for the ones
 * beside it; the one before is computed again once when the day of the value is over. Of counters also those
 * of a whole pause.
 */
function touchedWork(
  touched: readonly Touched[],
  beside: readonly Beside[],
  readers: ReadonlyMap<string, readonly Reader[]>,
  now: number,
): NewWork[] {
  const work = new Map<string, Gathered>();
  const gathered = (one: NewWork): Gathered => {
    const key = `${one.calculation}\n${one.zone}\n${one.fromAt}\n${one.cause}`;
    const known = work.get(key) ?? { ...one, set: new Set<string>() };
    known.dueAt = Math.min(known.dueAt, one.dueAt);
    work.set(key, known);
    return known;
  };
  // Backfill touches many streams in the same quarters of an hour: what those make is found once.
  const workOf = ({ row, zone, workAt: made }: Group, at: number): Gathered[] => {
    const all = made.get(at) ?? workAt(row, zone, at, now).map(gathered);
    made.set(at, all);
    return all;
  };
  for (const one of touched)
    for (const { group, entity } of readers.get(keyOf(one)) ?? [])
      for (const { set } of workOf(group, one.at)) set.add(entity);
  for (const one of beside)
    for (const { group, entity } of readers.get(keyOf(one)) ?? [])
      if (group.isCounted) for (const due of pauseWork(group, one, now)) gathered(due).set.add(entity);
  return [...work.values()].map(({ set, ...one }) => ({ ...one, entities: [...set] }));
}

function workAt({ id, interval, since }: CalculationRow, zone: string, at: number, now: number): NewWork[] {
  if (at > now + DAY_MS) return [];
  const own = stretchAt(interval, zone, at);
  const before = stretchAt(interval, zone, own.from - 1);
  const after = stretchAt(interval, zone, own.to);
  const cause = at < now - LATE_MS ? ('late' as const) : ('live' as const);
  const closes = intervalAt(interval, zone, at).to + SETTLE_MS;
  return [
    { ...own, dueAt: closes <= now ? 0 : closes },
    { ...before, dueAt: own.to <= now ? 0 : own.to + SETTLE_MS },
    { ...after, dueAt: 0 },
  ]
    .filter(({ from, to }) => to > since && from < now)
    .map(({ from, to, dueAt }) => ({
      calculation: id,
      zone,
      fromAt: from,
      toAt: to,
      entities: null,
      cause,
      dueAt,
    }));
}

/** The stretches of the pauses before and after what was touched, without those that are computed in any case. */
function pauseWork({ row, zone }: Group, { from, to, before, after }: Beside, now: number): NewWork[] {
  const first = stretchAt(row.interval, zone, from).from;
  const last = stretchAt(row.interval, zone, to - 1).to;
  const of = { zone, entities: null, cause: from < now - LATE_MS ? ('late' as const) : ('live' as const) };
  return [
    ...(before === null ? [] : stretchesOver(row, { ...of, from: before, to: first })),
    ...(after === null ? [] : stretchesOver(row, { ...of, from: last, to: after + 1 })),
  ].filter((one) => one.toAt > row.since && one.fromAt < now);
}

/** Targets that are new, gone, or made of something else than when this was last looked at. */
function changedTargets({ row, now: targets }: Targets, known: readonly TargetRow[], now: number) {
  const before = new Map(
    known.filter(({ calculation }) => calculation === row.id).map((one) => [one.entity, one]),
  );
  const set: TargetRow[] = [];
  const work: NewWork[] = [];
  for (const { target } of targets) {
    const old = before.get(target.entity);
    before.delete(target.entity);
    const from = old ? changedFrom(old, target) : Number.NEGATIVE_INFINITY;
    if (from === null) continue;
    set.push(target);
    const isSaved = !old || old.version !== target.version;
    const of = {
      zone: target.zone,
      entities: [target.entity],
      cause: isSaved ? 'definition' : 'metadata',
    } as const;
    work.push(...stretchesOver(row, { ...of, from: Math.max(row.since, from), to: now }));
  }
  return { row, set, gone: [...before.keys()], work };
}

/** From when on an entity has other numbers, epoch ms; null where it has not. */
function changedFrom(old: TargetRow, now: TargetRow): number | null {
  if (old.version !== now.version || old.zone !== now.zone || old.streams !== now.streams)
    return Number.NEGATIVE_INFINITY;
  let from: number | null = null;
  for (const key of new Set([...Object.keys(old.facts), ...Object.keys(now.facts)])) {
    const at = factChangedFrom(old.facts[key], now.facts[key]);
    if (at !== null) from = Math.min(from ?? at, at);
  }
  return from;
}

/** Where both are lists of dated values, the first day at which they part, in any zone. */
function factChangedFrom(old: unknown, now: unknown): number | null {
  if (JSON.stringify(old) === JSON.stringify(now)) return null;
  const [a, b] = [datesOf(old), datesOf(now)];
  if (!a || !b) return Number.NEGATIVE_INFINITY;
  const apart = [...a, ...b].filter(([from, value]) => !(isIn(a, from, value) && isIn(b, from, value)));
  const days = apart.map(([from]) => (from === null ? Number.NEGATIVE_INFINITY : Date.parse(from) - DAY_MS));
  return days.length > 0 ? Math.min(...days) : null;
}

type Dated = [from: string | null, value: string];

const isIn = (all: readonly Dated[], from: string | null, value: string): boolean =>
  all.some((one) => one[0] === from && one[1] === value);

function datesOf(fact: unknown): Dated[] | null {
  if (!Array.isArray(fact)) return null;
  const all = fact as { from?: unknown; value?: unknown }[];
  const isDated = all.every((one) => one?.from === null || !Number.isNaN(Date.parse(String(one?.from))));
  return isDated ? all.map(({ from, value }) => [from as string | null, JSON.stringify(value)]) : null;
}
