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

/**
 * The judges of the alerts over single rows, one for each alert and source. A judge is made with the first row that is
 * about it, firing where an incident is open.
 */
export class Judges {
  readonly #byRule = new Map<string, Map<string, Judged>>();
  readonly #stateOf: (rule: Rule, subject: Subject) => { isFiring: boolean; isUnknown: boolean };
  readonly #isOpen: (rule: Rule, key: string) => boolean;

  constructor(of: {
    /** What is open of an alert about a subject. */
    stateOf: (rule: Rule, subject: Subject) => { isFiring: boolean; isUnknown: boolean };
    isOpen: (rule: Rule, key: string) => boolean;
  }) {
    this.#stateOf = of.stateOf;
    this.#isOpen = of.isOpen;
  }

  of(rule: Rule, key: string, subjectOf: () => Subject): Judged {
    const { id } = rule.alert;
    const own = this.#byRule.get(id) ?? new Map<string, Judged>();
    this.#byRule.set(id, own);
    const known = own.get(key);
    if (known) return known;
    const subject = subjectOf();
    const made = { judge: new Judge(rule.durations, this.#stateOf(rule, subject)), rule, subject };
    own.set(key, made);
    return made;
  }

  /** The one that is known. */
  find(rule: Rule, key: string): Judged | undefined {
    return this.#byRule.get(rule.alert.id)?.get(key);
  }

  /** Made where an incident is open: what arrives may clear it. */
  firing(rule: Rule, key: string, subjectOf: () => Subject): Judged | undefined {
    return this.#isOpen(rule, key) ? this.of(rule, key, subjectOf) : undefined;
  }

  /** Nothing of it has to be remembered. */
  drop(rule: Rule, key: string): void {
    this.#byRule.get(rule.alert.id)?.delete(key);
  }

  /** Of an alert that is gone, or evaluated in another way now. */
  forget(alert: string): void {
    this.#byRule.delete(alert);
  }

  forgetDevice(device: string): void {
    for (const own of this.#byRule.values())
      for (const [key, { subject }] of own) if (subject.device === device) own.delete(key);
  }

  /** The alert says something else by now, and is evaluated as before. */
  renew(rule: Rule): void {
    for (const judged of this.#byRule.get(rule.alert.id)?.values() ?? []) judged.rule = rule;
  }

  *all(): Iterable<Judged> {
    for (const own of this.#byRule.values()) yield* own.values();
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
  let judged = judges.find(rule, rows.key) ?? judges.firing(rule, rows.key, subjectOf);
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
