import type { Transaction } from '@albedo/postgres/postgres';
import type { Bus } from '../bus/bus.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Change, IncidentAlert } from './incident-changes.ts';
import {
  type IncidentRow,
  incidentOf,
  isSilent,
  type Severity,
  severitiesOf,
  stateOf,
} from './incident-state.ts';
import type { IncidentPatch, IncidentsStore, NewStep } from './incidents.store.ts';
import { incidentsChanged } from './incidents.topics.ts';
import type { IncidentStep, StepListener, WholeIncident } from './steps.topics.ts';

export interface BookOptions {
  store: IncidentsStore;
  registry: DeviceRegistry;
  workgroups: { get(name: string): Promise<{ settings: Record<string, unknown> }> };
  /** The alert of an incident; null where it is gone. */
  alertOf: (workgroup: string, id: string) => Promise<IncidentAlert | null>;
  bus: Bus;
  /** Has the steps copied to where people search them. */
  copySoon: () => void;
}

/**
 * The open incidents, and the one way in which any is changed: under its lock, with its steps, those who hear of them and
 * the copy in memory. What is open stands in the records; every change refreshes the copy.
 */
export class IncidentBook {
  readonly #options: BookOptions;
  readonly #listeners: StepListener[] = [];
  readonly #open = new Map<string, Map<string, IncidentRow>>();

  constructor(options: BookOptions) {
    this.#options = options;
  }

  /** Has somebody hear of every step, inside the transaction that writes it. */
  onSteps(listener: StepListener): void {
    this.#listeners.push(listener);
  }

  async start(): Promise<void> {
    for (const row of await this.#options.store.allOpen()) this.note(row);
  }

  /** Takes over what another process changed. */
  async refresh(workgroup: string, ids: readonly string[]): Promise<void> {
    for (const row of await this.#options.store.byIds(workgroup, ids)) this.note(row);
  }

  /** Of a workgroup that is gone. */
  forget(workgroup: string): void {
    this.#open.delete(workgroup);
  }

  /** The open ones of a workgroup, from memory. */
  openIn(workgroup: string): IncidentRow[] {
    return [...(this.#open.get(workgroup)?.values() ?? [])];
  }

  /** The open one of an alert about a subject, from memory. */
  openOf(workgroup: string, alert: string, subjectKey: string): IncidentRow | undefined {
    return this.#open.get(workgroup)?.get(keyOf(alert, subjectKey));
  }

  /** Workgroups that have open ones. */
  workgroups(): string[] {
    return [...this.#open.keys()];
  }
  /** Changes rows under their locks; answers how many. */
  async change(
    workgroup: string,
    ids: readonly string[],
    changeOf: (row: IncidentRow) => Change[] | null,
  ): Promise<number> {
    if (ids.length === 0) return 0;
    let count = 0;
    await this.write(workgroup, async (inside) => {
      const rows = await this.#options.store.lock(workgroup, ids, inside);
      const changes = rows.flatMap((row) => changeOf(row) ?? []);
      count = new Set(changes.map(({ row }) => row.id)).size;
      return changes;
    });
    return count;
  }

  async write(workgroup: string, work: (inside: Transaction) => Promise<Change[]>): Promise<void> {
    const { store, bus } = this.#options;
    const severities = await this.severities(workgroup);
    const after = await store.together(async (inside) => {
      const changes = await work(inside);
      if (changes.length === 0) return [];
      const rows = new Map<string, IncidentRow>();
      const steps: NewStep[] = [];
      const told: { change: Change; row: IncidentRow }[] = [];
      const patches = new Map<string, { patch: IncidentPatch; ids: string[] }>();
      for (const change of changes) {
        const patch = { ...change.patch, changedAt: new Date(change.at) };
        const row = { ...(rows.get(change.row.id) ?? change.row), ...patch } as IncidentRow;
        rows.set(row.id, row);
        const key = JSON.stringify(patch);
        const same = patches.get(key) ?? { patch, ids: [] };
        same.ids.push(row.id);
        patches.set(key, same);
        told.push({ change, row });
        steps.push({
          workgroup,
          incident: row.id,
          at: new Date(change.at),
          action: change.action,
          by: change.by ?? null,
          value: change.value ?? null,
          text: change.text ?? null,
          state: stateOf(row, change.at),
        });
      }
      for (const { patch, ids } of patches.values()) await store.patch(workgroup, ids, patch, inside);
      await store.addSteps(steps, inside);
      const heard = await this.#stepsOf(workgroup, told, severities);
      for (const listener of this.#listeners) await listener(workgroup, heard, inside);
      return [...rows.values()];
    });
    if (after.length === 0) return;
    for (const row of after) this.note(row);
    this.#options.copySoon();
    await bus.publish(incidentsChanged, { workgroup, ids: after.map(({ id }) => id) });
  }

  async #stepsOf(
    workgroup: string,
    told: readonly { change: Change; row: IncidentRow }[],
    severities: ReadonlyMap<string, Severity>,
  ): Promise<IncidentStep[]> {
    if (this.#listeners.length === 0) return [];
    const ids = [...new Set(told.map(({ row }) => row.alert))];
    const alerts = new Map(
      await Promise.all(ids.map(async (id) => [id, await this.#options.alertOf(workgroup, id)] as const)),
    );
    return told.map(({ change, row }) => {
      const incident = this.whole(row, severities, change.at);
      return {
        workgroup,
        action: change.action,
        at: change.at,
        by: change.by ?? null,
        value: change.value ?? null,
        text: change.text ?? null,
        incident,
        alert: alerts.get(row.alert) ?? null,
        isSilent: isSilent(incident.state),
      };
    });
  }

  note(row: IncidentRow): void {
    const own = this.#open.get(row.workgroup) ?? new Map<string, IncidentRow>();
    const key = keyOf(row.alert, row.subjectKey);
    if (!row.closedAt) own.set(key, row);
    else if (own.get(key)?.id === row.id) own.delete(key);
    if (own.size > 0) this.#open.set(row.workgroup, own);
    else this.#open.delete(row.workgroup);
  }

  whole(row: IncidentRow, severities: ReadonlyMap<string, Severity>, now: number): WholeIncident {
    const device = row.device ? this.#options.registry.known(row.device) : null;
    const deviceName = device?.workgroup === row.workgroup ? device.name : null;
    return incidentOf(row, { severities, deviceName, now });
  }

  async severities(workgroup: string): Promise<ReadonlyMap<string, Severity>> {
    return severitiesOf((await this.#options.workgroups.get(workgroup)).settings);
  }
}

const keyOf = (alert: string, subjectKey: string): string => `${alert} ${subjectKey}`;
