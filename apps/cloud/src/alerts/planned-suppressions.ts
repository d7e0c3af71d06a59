import type { NewSuppression } from '@albedo/contract/alerts/alerts.schema';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import type { IncidentRow, Opening, Subject } from '../incidents/incidents.service.ts';
import { type HasLabel, type InScope, inScope } from './alert-scope.ts';
import { occurrenceAt } from './suppression-times.ts';

type Silenced = NonNullable<Opening['silenced']>;

/** The planned suppressions of workgroups, and which of them hold now. */
export class PlannedSuppressions {
  readonly #planned = new Map<string, { content: NewSuppression; isActive: boolean; inScope: InScope }[]>();

  readonly #hasLabel: HasLabel;

  constructor(hasLabel: HasLabel) {
    this.#hasLabel = hasLabel;
  }

  set(
    workgroup: string,
    all: readonly NewSuppression[],
    entities: ReadonlyMap<string, Entity>,
    now: number,
  ): void {
    const planned = all
      .filter(({ enabled }) => enabled)
      .map((content) => ({
        content,
        isActive: false,
        inScope: inScope(content.scope, entities, this.#hasLabel),
      }));
    this.#planned.set(workgroup, planned);
    this.refresh(workgroup, now);
  }

  forget(workgroup: string): void {
    this.#planned.delete(workgroup);
  }

  /** Looks which hold at this instant, epoch ms. */
  refresh(workgroup: string, now: number): void {
    for (const one of this.#planned.get(workgroup) ?? [])
      one.isActive = occurrenceAt(one.content, now).isActive;
  }

  /** Why an alert is silent about a subject; null where it is not. What is out of service is more than a plan. */
  silencedFor(
    workgroup: string,
    alert: string,
    { device, source }: Pick<Subject, 'device' | 'source'>,
  ): Silenced | null {
    let silenced: Silenced | null = null;
    for (const { content, isActive, inScope: has } of this.#planned.get(workgroup) ?? []) {
      if (!isActive || (content.alerts.length > 0 && !content.alerts.includes(alert))) continue;
      if (device === null ? content.scope.kind !== 'all' : !has(device, source)) continue;
      if (content.kind === 'outOfService') return 'outOfService';
      silenced = 'design';
    }
    return silenced;
  }

  /** Incidents that are to be silenced now, or no more. */
  changes(workgroup: string, rows: readonly IncidentRow[]): Map<string, Silenced | null> {
    const wanted = new Map<string, Silenced | null>();
    for (const row of rows) {
      const silenced = this.silencedFor(workgroup, row.alert, row);
      if (silenced !== row.silenced) wanted.set(row.id, silenced);
    }
    return wanted;
  }
}
