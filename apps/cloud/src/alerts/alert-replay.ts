import type { AlertTestResult } from '@albedo/contract/alerts/alerts.schema';
import { searchQuery } from '@albedo/contract/telemetry/search.schema';
import { invalid } from '../errors/request-issues.ts';
import { FLAP_MS, mostWithin } from '../incidents/incidents.service.ts';
import type { TelemetryReader } from '../telemetry/telemetry.service.ts';
import { readRound } from './alert-rounds.ts';
import type { Rule } from './alert-rules.ts';
import { isWithin, type Place } from './alert-window.ts';
import { fieldsIn, type Value } from './conditions.ts';
import { Judge, type Ruling } from './judge.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Firings that are told one by one. */
const TOLD = 1000;
/** Rounds of one test: with more, they are further apart. */
const ROUNDS = 2000;

type Replay = AlertTestResult['result'];
type Firing = Omit<Replay['firings'][number], 'deviceName'>;

export interface ReplayOptions {
  reader: TelemetryReader;
  from: number;
  to: number;
  placeOf: (device: string) => Place;
  nameOf: (device: string) => string;
  signal?: AbortSignal | undefined;
}

/** What an alert would have made of what is stored, by the same judge as it is evaluated with. */
export async function replay(
  rule: Rule,
  of: ReplayOptions,
): Promise<{ result: Replay; rows: number; stepMs: number | null }> {
  const { kind, aggregate } = rule.content;
  const course = new Course(rule, of);
  let rows = 0;
  let stepMs: number | null = null;
  if (kind === 'finding' || kind === 'network' || kind === 'control')
    throw invalid('issue.alert_test_kind', { kind }, 'alert.kind');
  if (kind === 'offline') rows = await replayPresence(rule, of, course);
  else if (kind === 'absent' || kind === 'event' || (kind === 'query' && !aggregate))
    rows = await replayRows(rule, of, course);
  else {
    stepMs = stepOf(of);
    rows = await replayRounds(rule, of, course, stepMs);
  }
  return { result: resultOf(rule, course.firings, of), rows, stepMs };
}

/** The firings of one subject after the other. */
class Course {
  readonly firings: Firing[] = [];
  readonly #rule: Rule;
  readonly #of: ReplayOptions;
  readonly #open = new Map<string, Firing>();

  constructor(rule: Rule, of: ReplayOptions) {
    this.#rule = rule;
    this.#of = of;
  }

  take(device: string, source: string | null, rulings: readonly Ruling[]): void {
    const key = `${device} ${source ?? ''}`;
    for (const ruling of rulings) {
      const open = this.#open.get(key);
      if (ruling.kind === 'return' && open) open.to = ruling.at;
      if (ruling.kind !== 'fire') continue;
      // What comes back soon is the same once more.
      if (open && open.to !== null && ruling.at - open.to <= FLAP_MS) {
        open.to = null;
        open.count += 1;
        continue;
      }
      const firing: Firing = { device, source, from: ruling.at, to: null, count: 1, value: ruling.value };
      this.#open.set(key, firing);
      this.firings.push(firing);
    }
  }

  /** Whether what holds counts at an instant, for a subject that has not fired. */
  counts(device: string, at: number, isFiring: boolean): boolean {
    return isFiring || isWithin(this.#rule.content.window, at, this.#of.placeOf(device));
  }
}

async function replayRows(rule: Rule, of: ReplayOptions, course: Course): Promise<number> {
  const { kind, conditions, clearConditions, table, clearMinutes } = rule.content;
  const fields = [...new Set([...fieldsIn(conditions), ...fieldsIn(clearConditions)])];
  const query = searchQuery.parse({ timeframe: { from: of.from, to: of.to } });
  let rows = 0;
  let at = { device: '', source: '', judge: null as Judge | null, lastAt: 0 };
  const endMs = (clearMinutes || 60) * MINUTE_MS;
  /** What the silence since the last row comes to. */
  const silence = (until: number) => {
    if (!at.judge) return;
    if (kind === 'absent') {
      const due = at.lastAt + Math.max(rule.durations.forMs, MINUTE_MS);
      if (until > due && course.counts(at.device, due, false))
        course.take(at.device, at.source, [{ kind: 'fire', at: due, since: at.lastAt, value: null }]);
    } else if (kind === 'event') {
      if (until - at.lastAt >= endMs)
        course.take(at.device, at.source, [{ kind: 'return', at: at.lastAt + endMs, value: null }]);
    } else course.take(at.device, at.source, at.judge.tick(until));
  };
  for await (const piece of of.reader.inOrder(table ?? '', query, fields, of.signal)) {
    rows += piece.length;
    for (const { device, source, eventAt, values } of piece) {
      if (!rule.inScope(device, source)) continue;
      if (device !== at.device || source !== at.source) {
        silence(of.to);
        at = { device, source, judge: new Judge(rule.durations), lastAt: eventAt };
      }
      const judge = at.judge as Judge;
      const read = (field: string) =>
        Object.hasOwn(values, field)
          ? (values[field] as Value)
          : field === 'source'
            ? source
            : field === 'device'
              ? device
              : undefined;
      if (kind === 'absent') {
        silence(eventAt);
        course.take(device, source, [{ kind: 'return', at: eventAt, value: null }]);
        at.lastAt = eventAt;
        continue;
      }
      const holds = rule.holds(read);
      if (kind === 'event') {
        if (holds !== true) continue;
        silence(eventAt);
        if (eventAt - at.lastAt >= endMs) at.judge = new Judge(rule.durations);
        at.lastAt = eventAt;
        if (!course.counts(device, eventAt, at.judge?.isFiring ?? false)) continue;
        const said = at.judge?.observe(eventAt, true, null, false) ?? [];
        if (said !== 'late') course.take(device, source, said);
        continue;
      }
      const isOut = holds === true && !course.counts(device, eventAt, judge.isFiring);
      const value = rule.field === null ? null : (read(rule.field) ?? null);
      const said = judge.observe(
        eventAt,
        isOut ? false : holds,
        value,
        rule.clears ? rule.clears(read) : undefined,
      );
      if (said !== 'late') course.take(device, source, said);
      at.lastAt = eventAt;
    }
  }
  silence(of.to);
  return rows;
}

/** Devices that went and came, as the audit log has it. */
async function replayPresence(rule: Rule, of: ReplayOptions, course: Course): Promise<number> {
  const query = searchQuery.parse({
    timeframe: { from: of.from, to: of.to },
    filters: [{ field: 'controller', operator: '=', value: 'state_change' }],
  });
  let rows = 0;
  const since = new Map<string, number>();
  const end = (device: string, at: number) => {
    const began = since.get(device);
    since.delete(device);
    if (began === undefined || at - began < rule.durations.forMs) return;
    const fired = began + rule.durations.forMs;
    if (course.counts(device, fired, false))
      course.take(device, null, [{ kind: 'fire', at: fired, since: began, value: null }]);
  };
  for await (const piece of of.reader.inOrder('audit_logs', query, ['action'], of.signal)) {
    rows += piece.length;
    for (const { device, eventAt, values } of piece) {
      if (!rule.inScope(device, null)) continue;
      if (values.action === 'offline') since.set(device, since.get(device) ?? eventAt);
      else if (values.action === 'online') {
        end(device, eventAt);
        course.take(device, null, [{ kind: 'return', at: eventAt, value: null }]);
      }
    }
  }
  for (const device of [...since.keys()]) end(device, of.to);
  return rows;
}

/** Rounds as close as there is time for. */
const stepOf = ({ from, to }: ReplayOptions): number =>
  Math.max(MINUTE_MS, Math.ceil((to - from) / ROUNDS / MINUTE_MS) * MINUTE_MS);

async function replayRounds(rule: Rule, of: ReplayOptions, course: Course, stepMs: number): Promise<number> {
  const judges = new Map<string, Judge>();
  let rounds = 0;
  for (let now = of.from + stepMs; now <= of.to; now += stepMs) {
    of.signal?.throwIfAborted();
    const [round] = await readRound(of.reader, rule.content.table ?? '', [rule], now);
    rounds += 1;
    if (!round || 'error' in round) continue;
    for (const { device, source, holds, value } of round.readings) {
      const key = `${device} ${source}`;
      const durations = { ...rule.durations, staleMs: Math.max(rule.durations.staleMs, 2 * stepMs) };
      const judge = judges.get(key) ?? new Judge(durations);
      judges.set(key, judge);
      const isOut = holds === true && !course.counts(device, now, judge.isFiring);
      const said = judge.observe(now, isOut ? false : holds, value);
      if (said !== 'late') course.take(device, source, said);
    }
  }
  return rounds;
}

function resultOf(rule: Rule, all: readonly Firing[], { from, to, nameOf }: ReplayOptions): Replay {
  const firings = [...all].sort((a, b) => a.from - b.from);
  const { onResolve, repeatHours } = rule.content.notify;
  const messages = firings.reduce((sum, { from: begin, to: end }) => {
    const repeats =
      repeatHours === null ? 0 : Math.floor(((end ?? to) - begin) / (repeatHours * 60 * MINUTE_MS));
    return sum + 1 + repeats + (onResolve && end !== null ? 1 : 0);
  }, 0);
  return {
    firings: firings.slice(0, TOLD).map((one) => ({ ...one, deviceName: nameOf(one.device) })),
    total: firings.length,
    perDay: Math.round((firings.length / ((to - from) / DAY_MS)) * 100) / 100,
    mostIn10Minutes: mostWithin(
      firings.map(({ from: at }) => at),
      10 * MINUTE_MS,
    ),
    messages,
  };
}
