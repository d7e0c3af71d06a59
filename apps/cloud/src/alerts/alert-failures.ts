import type { Incidents } from '../incidents/incidents.service.ts';
import type { Rule } from './alert-rules.ts';

const MINUTE_MS = 60_000;
/** After so many rounds in which an alert could not be evaluated, that is an incident of its own. */
const FAILURES = 3;
/** The subject of an alert that cannot be evaluated. */
export const FAILED = 'failed';

/** Alerts that cannot be evaluated: neither that there is no data, nor that all is well. */
export class AlertFailures {
  readonly #incidents: Incidents;
  readonly #counts = new Map<string, number>();

  constructor(incidents: Incidents) {
    this.#incidents = incidents;
  }

  /** An alert is evaluated in another way now. */
  forget(alert: string): void {
    this.#counts.delete(alert);
  }

  /** An alert that cannot be evaluated: what is open stays open, and after a while that is told by itself. */
  async note(workgroup: string, rule: Rule, error: string, now: number): Promise<void> {
    const { id } = rule.alert;
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    const open = this.#incidents
      .openIn(workgroup)
      .filter((row) => row.alert === id && row.subjectKey !== FAILED && row.condition !== 'clear');
    await this.#incidents.turn(
      workgroup,
      open.map((row) => ({ id: row.id, to: 'failed', at: now, text: error })),
    );
    if (count < FAILURES || this.#incidents.openOf(workgroup, id, FAILED)) return;
    await this.#incidents.open(workgroup, [
      {
        alert: rule.alert,
        subject: {
          key: FAILED,
          device: null,
          table: rule.content.table,
          source: null,
          name: rule.alert.name,
        },
        at: now,
        since: now - (count - 1) * MINUTE_MS,
        condition: 'failed',
        reading: { field: null, value: error, units: null, limit: null },
      },
    ]);
  }

  /** It could be evaluated: what was said of it is over, and what is still open holds again until a reading says otherwise. */
  async end(workgroup: string, rule: Rule, now: number): Promise<void> {
    this.#counts.delete(rule.alert.id);
    const own = this.#incidents
      .openIn(workgroup)
      .filter((row) => row.alert === rule.alert.id && row.condition === 'failed');
    if (own.length === 0) return;
    await this.#incidents.turn(
      workgroup,
      own.map((row) => ({ id: row.id, to: row.subjectKey === FAILED ? 'clear' : 'active', at: now })),
    );
  }
}
