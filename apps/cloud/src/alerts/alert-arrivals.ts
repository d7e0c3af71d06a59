import type { BatchStream } from '@albedo/contract/link/link.messages';
import type { Subject } from '../incidents/incidents.service.ts';
import type { Rule } from './alert-rules.ts';
import type { Place } from './alert-window.ts';
import { isWithin } from './alert-window.ts';
import type { Read, Value } from './conditions.ts';
import { Judge, type Ruling } from './judge.ts';
import type { Ruled } from './rulings.ts';

/** Rows that are older than this when they come are late: recorded, and never alarmed. */
export const LATE_MS = 15 * 60_000;

/** What is known of the thing that a judge judges. */
export interface Judged {
  judge: Judge;
  rule: Rule;
  subject: Subject;
}

/** The judges of alerts by what they are about, so that a source of which nothing is pending costs one look for all of them. */
export class Judges {
  readonly #bySubject = new Map<string, Map<string, Judged>>();
  readonly #stateOf: (rule: Rule, subject: Subject) => { isFiring: boolean; isUnknown: boolean };

  /** `stateOf`: what is open of an alert about a subject, for a judge that is made. */
  constructor(stateOf: (rule: Rule, subject: Subject) => { isFiring: boolean; isUnknown: boolean }) {
    this.#stateOf = stateOf;
  }

  of(rule: Rule, key: string, subjectOf: () => Subject): Judged {
    const { id } = rule.alert;
    const own = this.#bySubject.get(key) ?? new Map<string, Judged>();
    this.#bySubject.set(key, own);
    const known = own.get(id);
    if (known) return known;
    const subject = subjectOf();
    const made = { judge: new Judge(rule.durations, this.#stateOf(rule, subject)), rule, subject };
    own.set(id, made);
    return made;
  }

  /** Those about a subject, by alert. */
  about(key: string): ReadonlyMap<string, Judged> | undefined {
    return this.#bySubject.get(key);
  }

  /** Nothing of it has to be remembered. */
  drop(rule: Rule, key: string): void {
    const own = this.#bySubject.get(key);
    own?.delete(rule.alert.id);
    if (own?.size === 0) this.#bySubject.delete(key);
  }

  /** Of alerts that are gone, or evaluated in another way now. */
  forget(alerts: ReadonlySet<string>): void {
    if (alerts.size === 0) return;
    for (const { rule, subject } of this.all()) if (alerts.has(rule.alert.id)) this.drop(rule, subject.key);
  }

  forgetDevice(device: string): void {
    for (const { rule, subject } of this.all()) if (subject.device === device) this.drop(rule, subject.key);
  }

  /** Alerts say something else by now, and are evaluated as before. */
  renew(rules: ReadonlyMap<string, Rule>): void {
    for (const judged of this.all()) judged.rule = rules.get(judged.rule.alert.id) ?? judged.rule;
  }

  *all(): Iterable<Judged> {
    for (const own of [...this.#bySubject.values()]) yield* [...own.values()];
  }
}

/** The rows of one stream of one device, read one after the other by every alert. */
export class StreamRows {
  readonly device: string;
  readonly stream: BatchStream;
  /** The key of what is judged. */
  readonly key: string;
  /** The row that `read` reads. */
  row: BatchStream['rows'][number] | null = null;
  readonly #columns: ReadonlyMap<string, number>;

  constructor(device: string, stream: BatchStream) {
    this.device = device;
    this.stream = stream;
    this.key = `${device} ${stream.source}`;
    // Values stand after the number and the time.
    this.#columns = new Map(stream.fields.map(({ name }, i) => [name, i + 2]));
  }

  readonly read: Read = (field) => {
    const column = this.#columns.get(field);
    if (column !== undefined) return (this.row?.[column] as Value | undefined) ?? null;
    return field === 'source' ? this.stream.source : field === 'device' ? this.device : undefined;
  };
}

/**
 * Rows of one stream against one alert. Most rows fire nothing and are about nothing that fires: those cost one look at
 * their values, and no judge is kept for them. `subjectOf` is asked for a source that was not judged before.
 */
export function judgeRows(
  rule: Rule,
  judges: Judges,
  rows: StreamRows,
  { place, now, subjectOf }: { place: () => Place; now: number; subjectOf: () => Subject },
): { ruled: Ruled[]; late: number } {
  let judged = judges.about(rows.key)?.get(rule.alert.id);
  let ruled: Ruled[] | null = null;
  let late = 0;
  for (const row of rows.stream.rows) {
    rows.row = row;
    const holds = rule.holds(rows.read);
    if (holds !== true && (!judged || (holds === null && !rule.clears))) continue;
    const at = row[1];
    if (at < now - LATE_MS - rule.delayMs) {
      if (holds) late++;
      continue;
    }
    judged ??= judges.of(rule, rows.key, subjectOf);
    const said = observeRow(judged, rows, at, holds, place);
    if (said.length === 0) continue;
    const { subject } = judged;
    const of = { rule, subject, units: unitsOf(rows.stream, rule.field), limit: limitOf(rule) };
    ruled ??= [];
    for (const ruling of said) ruled.push({ ...of, ruling });
  }
  if (judged?.judge.isIdle) judges.drop(rule, rows.key);
  return { ruled: ruled ?? [], late };
}

function observeRow(
  { judge, rule }: Judged,
  { read }: StreamRows,
  at: number,
  holds: boolean | null,
  place: () => Place,
): Ruling[] {
  const counts =
    holds === true && !judge.isFiring && !isWithin(rule.content.window, at, place()) ? false : holds;
  // That another row comes ends no event: it is over when none came for a while.
  const isEvent = rule.content.kind === 'event';
  if (isEvent && counts !== true) return [];
  const isClear = isEvent ? false : rule.clears ? rule.clears(read) : undefined;
  const said = judge.observe(at, counts, shownValue(rule, read), isClear);
  return said === 'late' ? [] : said;
}

const shownValue = ({ field }: Rule, read: Read): Value => (field === null ? null : (read(field) ?? null));

const unitsOf = ({ fields }: BatchStream, field: string | null): string | null =>
  fields.find(({ name }) => name === field)?.units ?? null;

/** The limit of the first condition, where it is one. */
export function limitOf({ content }: Rule): Value {
  const [first] = content.conditions;
  if (content.aggregate) return content.aggregate.value;
  if (!first || 'filters' in first) return null;
  return typeof first.value === 'number' || typeof first.value === 'string' ? first.value : null;
}
