import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import type { Logger } from 'pino';
import type { Incidents, Opening, Subject } from '../incidents/incidents.service.ts';
import type { Rule } from './alert-rules.ts';
import type { Value } from './conditions.ts';
import type { Ruling } from './judge.ts';

/** What a ruling says of a subject. */
export interface Ruled {
  rule: Rule;
  subject: Subject;
  ruling: Ruling;
  finding?: string | null;
  /** The field that it is about, where that is not the one of the alert. */
  field?: string | null;
  units?: string | null;
  limit?: Value;
}

const RETRY_MS = 1000;
const SETTLED_MS = 10_000;

/**
 * Takes what was judged to the incidents, in order, in batches: what comes while one batch is written goes together into
 * the next. A batch that cannot be written is tried again, so that nothing that fired is forgotten.
 */
export class Rulings {
  readonly #incidents: Incidents;
  readonly #silencedFor: (workgroup: string, rule: Rule, subject: Subject) => Opening['silenced'];
  readonly #isWatched: (workgroup: string) => boolean;
  readonly #log: Logger;
  readonly #waiting = new Map<string, Ruled[]>();
  readonly #writing = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(of: {
    incidents: Incidents;
    silencedFor: (workgroup: string, rule: Rule, subject: Subject) => Opening['silenced'];
    isWatched: (workgroup: string) => boolean;
    log: Logger;
  }) {
    this.#incidents = of.incidents;
    this.#silencedFor = of.silencedFor;
    this.#isWatched = of.isWatched;
    this.#log = of.log;
  }

  take(workgroup: string, ruled: readonly Ruled[]): void {
    if (ruled.length === 0 || this.#isStopped) return;
    const waiting = this.#waiting.get(workgroup) ?? [];
    for (const one of ruled) waiting.push(one);
    this.#waiting.set(workgroup, waiting);
    const writing = this.#writing.get(workgroup) ?? this.#write(workgroup);
    this.#writing.set(workgroup, writing);
  }

  /** Resolves when all that was taken is written, of one workgroup or of all. */
  async settled(workgroup?: string): Promise<void> {
    if (workgroup !== undefined) {
      // One that cannot be written keeps the others waiting no longer than this.
      const isLate = new Promise<void>((resolve) => setTimeout(resolve, SETTLED_MS).unref());
      await Promise.race([this.#writing.get(workgroup), isLate]);
      return;
    }
    while (this.#writing.size > 0) await Promise.all(this.#writing.values());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.race([this.settled(), new Promise((resolve) => setTimeout(resolve, 3000).unref())]);
  }

  async #write(workgroup: string): Promise<void> {
    // What is judged in the same turn goes together.
    await new Promise((resolve) => setImmediate(resolve));
    for (;;) {
      const all = this.#waiting.get(workgroup) ?? [];
      this.#waiting.delete(workgroup);
      if (all.length === 0) break;
      let done = 0;
      try {
        for (const some of inRuns(all)) {
          await this.#apply(workgroup, some);
          done += some.length;
        }
      } catch (err) {
        this.#log.error(
          { err, workgroup, rulings: all.length },
          'incidents could not be written; trying again',
        );
        // Of a workgroup that is gone there is nothing to tell.
        if (this.#isStopped || !this.#isWatched(workgroup)) break;
        this.#waiting.set(workgroup, [...all.slice(done), ...(this.#waiting.get(workgroup) ?? [])]);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
    this.#writing.delete(workgroup);
  }

  async #apply(workgroup: string, some: readonly Ruled[]): Promise<void> {
    const [first] = some;
    if (first?.ruling.kind === 'fire') {
      await this.#incidents.open(
        workgroup,
        some.flatMap((one) => this.#openingOf(workgroup, one)),
      );
      return;
    }
    await this.#incidents.turn(
      workgroup,
      some.flatMap(({ rule, subject, ruling }) => {
        const open = this.#incidents.openOf(workgroup, rule.alert.id, subject.key);
        if (!open || ruling.kind === 'fire') return [];
        const to = TO[ruling.kind];
        return [{ id: open.id, to, at: ruling.at, value: 'value' in ruling ? ruling.value : null }];
      }),
    );
  }

  #openingOf(workgroup: string, one: Ruled): Opening[] {
    const { rule, subject, ruling, finding = null } = one;
    if (ruling.kind !== 'fire') return [];
    return [
      {
        alert: rule.alert,
        subject,
        at: ruling.at,
        since: ruling.since,
        finding,
        silenced: this.#silencedFor(workgroup, rule, subject),
        reading: readingOf(one, ruling.value),
      },
    ];
  }
}

const TO = { return: 'clear', unknown: 'unknown', known: 'active' } as const;

const readingOf = (
  { rule, field, units = null, limit = null }: Ruled,
  value: Value,
): Incident['reading'] => ({
  field: field ?? rule.field,
  value,
  units,
  limit,
});

/** Openings and turns keep their order; those that follow each other go together, each subject once. */
function inRuns(all: readonly Ruled[]): Ruled[][] {
  const runs: Ruled[][] = [];
  let seen = new Set<string>();
  for (const one of all) {
    const run = runs.at(-1);
    const key = `${one.rule.alert.id} ${one.subject.key}`;
    const isOpening = one.ruling.kind === 'fire';
    if (!run || (run[0]?.ruling.kind === 'fire') !== isOpening || seen.has(key)) {
      runs.push([one]);
      seen = new Set([key]);
    } else {
      run.push(one);
      seen.add(key);
    }
  }
  return runs;
}
