import type { BatchStream } from '@albedo/contract/link/link.messages';
import type { Subject } from '../incidents/incidents.service.ts';
import type { Rule } from './alert-rules.ts';
import type { Place } from './alert-window.ts';
import { isWithin } from './alert-window.ts';
import type { Read, Value } from './conditions.ts';
import { Judge } from './judge.ts';
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

  constructor(stateOf: (rule: Rule, subject: Subject) => { isFiring: boolean; isUnknown: boolean }) {
    this.#stateOf = stateOf;
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

/** Rows of one stream against one alert. `subjectOf` is asked for a source that was not judged before. */
export function judgeRows(
  rule: Rule,
  judges: Judges,
  {
    device,
    stream,
    columns,
    place,
    now,
    subjectOf,
  }: {
    device: string;
    stream: BatchStream;
    /** Index of the value in a row by name of the field. */
    columns: ReadonlyMap<string, number>;
    place: Place;
    now: number;
    subjectOf: () => Subject;
  },
): { ruled: Ruled[]; late: number } {
  const ruled: Ruled[] = [];
  let judged: Judged | null = null;
  let late = 0;
  let row: BatchStream['rows'][number] | null = null;
  const read: Read = (field) => {
    const column = columns.get(field);
    if (column !== undefined) return (row?.[column] as Value | undefined) ?? null;
    return field === 'source' ? stream.source : field === 'device' ? device : undefined;
  };
  const units = unitsOf(stream, rule.field);
  const take = (rulings: ReturnType<Judge['tick']>) => {
    for (const ruling of rulings)
      ruled.push({ rule, subject: (judged as Judged).subject, ruling, units, limit: limitOf(rule) });
  };
  for (row of stream.rows) {
    const at = row[1];
    const holds = rule.holds(read);
    if (holds === null && !rule.clears) continue;
    if (at < now - LATE_MS - rule.delayMs) {
      if (holds) late++;
      continue;
    }
    judged ??= judges.of(rule, `${device} ${stream.source}`, subjectOf);
    const { judge } = judged;
    const counts =
      holds === true && !judge.isFiring && !isWithin(rule.content.window, at, place) ? false : holds;
    // That another row comes ends no event: it is over when none came for a while.
    const isEvent = rule.content.kind === 'event';
    if (isEvent && counts !== true) continue;
    const isClear = isEvent ? false : rule.clears ? rule.clears(read) : undefined;
    const said = judge.observe(at, counts, shownValue(rule, read), isClear);
    if (said !== 'late') take(said);
  }
  return { ruled, late };
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

/** Where the values of a stream's rows stand: after the number and the time. */
export const columnsOf = ({ fields }: BatchStream): ReadonlyMap<string, number> =>
  new Map(fields.map(({ name }, i) => [name, i + 2]));
