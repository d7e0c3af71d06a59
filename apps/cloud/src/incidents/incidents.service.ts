import { randomUUID } from 'node:crypto';
import type { NewAlert } from '@albedo/contract/alerts/alerts.schema';
import {
  type AlarmLoad,
  type CloseReason,
  type Incident,
  type IncidentDetail,
  type incidentHistory,
  SHELF_DAYS,
} from '@albedo/contract/incidents/incidents.schema';
import type { Transaction } from '@albedo/postgres/postgres';
import type { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import type { Caller } from '../access/caller.ts';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { loadOf } from './alarm-load.ts';
import {
  type IncidentRow,
  incidentOf,
  isSilent,
  type Severity,
  severitiesOf,
  stateOf,
} from './incident-state.ts';
import type {
  IncidentPatch,
  IncidentsStore,
  NewIncidentRow,
  NewStep,
  StepAction,
} from './incidents.store.ts';
import { incidentsChanged } from './incidents.topics.ts';
import type { IncidentStep, StepListener, WholeIncident } from './steps.topics.ts';

export { mostWithin } from './alarm-load.ts';
export { type IncidentRow, severitiesOf } from './incident-state.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** What comes back within this after it returned is the same incident once more. */
export const FLAP_MS = 5 * MINUTE_MS;
/** So long after its cause is over a consequence is told on its own: most are over by then too. */
const CAUSE_OVER_MS = 2 * MINUTE_MS;

/** What an alert says of the incidents that it makes. */
export interface IncidentAlert
  extends Pick<
    NewAlert,
    'name' | 'kind' | 'severity' | 'category' | 'latched' | 'notify' | 'cause' | 'consequence' | 'response'
  > {
  id: string;
}

/** What an incident is about. */
export interface Subject {
  /** Within the alert. */
  key: string;
  device: string | null;
  table: string | null;
  source: string | null;
  /** Its one name. */
  name: string;
}

export interface Opening {
  alert: IncidentAlert;
  subject: Subject;
  at: number;
  since: number;
  reading: Incident['reading'];
  finding?: string | null;
  condition?: Incident['condition'];
  /** It begins within a planned suppression. */
  silenced?: 'design' | 'outOfService' | null | undefined;
}

/** A change of the condition of an open incident. */
export interface Turn {
  id: string;
  to: 'active' | 'clear' | 'unknown' | 'failed';
  at: number;
  value?: string | number | null;
  text?: string | null;
}

interface Change {
  row: IncidentRow;
  patch: IncidentPatch;
  action: StepAction;
  at: number;
  by?: string | null;
  value?: string | number | null;
  text?: string | null;
}

export interface IncidentsOptions {
  store: IncidentsStore;
  registry: DeviceRegistry;
  workgroups: { get(name: string): Promise<{ settings: Record<string, unknown> }> };
  /** The alert of an incident; null where it is gone. */
  alertOf: (workgroup: string, id: string) => Promise<IncidentAlert | null>;
  audit: Audit;
  bus: Bus;
  copySoon: () => void;
  now?: () => number;
}

/**
 * Incidents and their life, as ISA-18.2 has it. What is open stands in the records; this process keeps a copy of the open
 * ones, which every change refreshes. One incident is open for an alert and a subject, over all processes.
 */
export class Incidents {
  readonly #options: IncidentsOptions;
  readonly #listeners: StepListener[] = [];
  readonly #open = new Map<string, Map<string, IncidentRow>>();

  constructor(options: IncidentsOptions) {
    this.#options = options;
  }

  /** Has somebody hear of every step, inside the transaction that writes it. */
  onSteps(listener: StepListener): void {
    this.#listeners.push(listener);
  }

  async start(): Promise<void> {
    for (const row of await this.#options.store.allOpen()) this.#note(row);
  }

  /** Takes over what another process changed. */
  async refresh(workgroup: string, ids: readonly string[]): Promise<void> {
    for (const row of await this.#options.store.byIds(workgroup, ids)) this.#note(row);
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

  // What people see.

  /** What is wrong, the gravest and most costly first. */
  async active(caller: Caller): Promise<Incident[]> {
    const rows = await this.#options.store.open(caller.workgroup);
    return (await this.#shown(caller, rows)).sort(byWeight);
  }

  async history(caller: Caller, query: z.output<typeof incidentHistory>): Promise<Incident[]> {
    return this.#shown(caller, await this.#options.store.during(caller.workgroup, query));
  }

  /** Throws `incident.not_found`. */
  async get(caller: Caller, id: string): Promise<IncidentDetail> {
    const { workgroup } = caller;
    const row = await this.#visible(caller, id);
    const [steps, alert, open] = await Promise.all([
      this.#options.store.steps(workgroup, id),
      this.#options.alertOf(workgroup, row.alert),
      this.#options.store.open(workgroup),
    ]);
    const [shown] = await this.#shown(caller, [row], open);
    if (!shown) throw new AppError('incident.not_found');
    const { device, table, source } = row;
    const { field } = row.reading;
    return {
      ...shown,
      cause: alert?.cause ?? '',
      consequence: alert?.consequence ?? '',
      response: alert?.response ?? '',
      timeline: steps.map(({ at, action, by, value, text }) => ({
        at: at.getTime(),
        action,
        by,
        value,
        text,
      })),
      signal: device && table && source && field ? { device, table, source, field } : null,
    };
  }

  /** Throws `incident.not_found` with the words of the specification. */
  async acknowledge(caller: Caller, id: string, by: Actor & { name?: string }): Promise<Incident> {
    const row = await this.#visible(caller, id);
    await this.#acknowledge(caller.workgroup, [row.id], by);
    return this.#one(caller, id);
  }

  /** Those that are gone or hidden are left out. */
  async acknowledgeAll(caller: Caller, ids: readonly string[], by: Actor): Promise<number> {
    const rows = await this.#options.store.byIds(caller.workgroup, ids);
    const visible = rows.filter((row) => sees(caller.devices, row) && !row.closedAt);
    return this.#acknowledge(
      caller.workgroup,
      visible.map(({ id }) => id),
      by,
    );
  }

  async #acknowledge(workgroup: string, ids: readonly string[], by: Actor): Promise<number> {
    const at = this.#now();
    return this.#change(workgroup, ids, (row) => {
      if (row.closedAt || row.acknowledged.some(({ user }) => user === by.userId)) return null;
      const acknowledged = [...row.acknowledged, { user: by.userId, name: by.email, at }];
      const isOver = row.condition === 'clear' && row.isLatched;
      this.#record(workgroup, row, by, 'acknowledge');
      const done: Change = { row, patch: { acknowledged }, action: 'acknowledged', at, by: by.email };
      return isOver ? [done, closing({ ...row, acknowledged }, 'acknowledged', at)] : [done];
    });
  }

  async note(caller: Caller, id: string, text: string, by: Actor): Promise<IncidentDetail> {
    await this.#visible(caller, id);
    const at = this.#now();
    await this.#change(caller.workgroup, [id], (row) => [
      { row, patch: {}, action: 'note', at, by: by.email, text },
    ]);
    return this.get(caller, id);
  }

  /** Throws `incident.not_found`, `incident.closed`, and `request.invalid` for an end too far away. */
  async shelve(
    caller: Caller,
    id: string,
    { reason, until }: { reason: string; until: number },
    by: Actor,
  ): Promise<Incident> {
    const row = await this.#visible(caller, id);
    const at = this.#now();
    if (until < at + MINUTE_MS || until > at + SHELF_DAYS * DAY_MS)
      throw invalid('issue.shelf_end', { days: String(SHELF_DAYS) }, 'until');
    if (row.closedAt) throw new AppError('incident.closed');
    await this.#change(caller.workgroup, [id], (now) => {
      if (now.closedAt) throw new AppError('incident.closed');
      this.#record(caller.workgroup, now, by, 'shelve', reason);
      const patch = { shelvedUntil: new Date(until), shelvedReason: reason };
      return [{ row: now, patch, action: 'shelved', at, by: by.email, text: reason }];
    });
    return this.#one(caller, id);
  }

  async unshelve(caller: Caller, id: string, by: Actor): Promise<Incident> {
    await this.#visible(caller, id);
    const at = this.#now();
    await this.#change(caller.workgroup, [id], (row) => {
      if (!row.shelvedUntil || row.closedAt) return null;
      this.#record(caller.workgroup, row, by, 'unshelve');
      return [{ row, patch: OFF_SHELF, action: 'unshelved', at, by: by.email }];
    });
    return this.#one(caller, id);
  }

  async load(caller: Caller, { from, to }: { from: number; to: number }): Promise<AlarmLoad> {
    const { store } = this.#options;
    const [told, open, severities] = await Promise.all([
      store.announcements(caller.workgroup, from, to),
      store.open(caller.workgroup),
      this.#severities(caller.workgroup),
    ]);
    const isSeen = (of: { device: string | null; source: string | null }) => sees(caller.devices, of);
    const now = Math.min(to, this.#now());
    const standing = open.filter((row) => isSeen(row) && !isSilent(stateOf(row, now)));
    return loadOf({ from, to: now, told: told.filter(isSeen), standing, severities });
  }

  // What the alerts say.

  /** Opens incidents; one that is open and had returned is the same once more. */
  async open(workgroup: string, openings: readonly Opening[]): Promise<void> {
    const { store } = this.#options;
    const again: { opening: Opening; id: string }[] = [];
    const fresh: { opening: Opening; row: NewIncidentRow }[] = [];
    const causes = this.#causes(workgroup);
    for (const opening of openings) {
      const { alert, subject } = opening;
      const known = this.openOf(workgroup, alert.id, subject.key);
      if (known) again.push({ opening, id: known.id });
      else fresh.push({ opening, row: rowOf(workgroup, opening) });
    }
    for (const { opening, row } of fresh)
      if (isCause(opening.alert.kind) && opening.subject.device && row.id)
        causes.set(opening.subject.device, row.id);
    for (const { row } of fresh) {
      const cause = row.device ? causes.get(row.device) : undefined;
      if (cause !== undefined && cause !== row.id && !isCause(row.kind)) row.causedBy = cause;
    }
    if (fresh.length > 0) await this.#openNew(workgroup, fresh, store);
    if (again.length > 0) await this.#reopen(workgroup, again);
  }

  async #openNew(
    workgroup: string,
    fresh: { opening: Opening; row: NewIncidentRow }[],
    store: IncidentsStore,
  ): Promise<void> {
    const byId = new Map(fresh.map(({ opening, row }) => [row.id, opening]));
    await this.#write(workgroup, async (inside) => {
      const added = await store.add(
        fresh.map(({ row }) => row),
        inside,
      );
      const changes: Change[] = added.map((row) => {
        const opening = byId.get(row.id);
        return {
          row,
          patch: {},
          action: 'opened',
          at: row.createdAt.getTime(),
          value: opening?.reading.value ?? null,
        };
      });
      // What stood already because of it is told there from now on.
      const causes = new Map(
        added.flatMap((row) => (isCause(row.kind) && row.device ? [[row.device, row.id]] : [])),
      );
      if (causes.size > 0) {
        const under = this.openIn(workgroup).filter(
          (row) => row.device && causes.has(row.device) && !isCause(row.kind) && row.causedBy === null,
        );
        const at = this.#now();
        for (const row of await store.lock(
          workgroup,
          under.map(({ id }) => id),
          inside,
        )) {
          const causedBy = causes.get(row.device ?? '');
          if (causedBy && !row.closedAt) changes.push({ row, patch: { causedBy }, action: 'suppressed', at });
        }
      }
      return changes;
    });
  }

  async #reopen(workgroup: string, again: { opening: Opening; id: string }[]): Promise<void> {
    const byId = new Map(again.map(({ opening, id }) => [id, opening]));
    await this.#change(workgroup, [...byId.keys()], (row) => {
      const opening = byId.get(row.id);
      if (!opening || row.closedAt) return null;
      const { at, reading } = opening;
      // Whoever acknowledged it knows; it comes back without another word.
      if (row.condition === 'clear') {
        const patch = { condition: 'active' as const, clearedAt: null, count: row.count + 1, reading };
        return [{ row, patch, action: 'reopened', at, value: reading.value }];
      }
      return row.condition === 'active'
        ? null
        : [turnOf(row, { id: row.id, to: 'active', at, value: reading.value })];
    });
  }

  /** Changes of conditions; what is so already is left out. */
  async turn(workgroup: string, turns: readonly Turn[]): Promise<void> {
    const byId = new Map(turns.map((one) => [one.id, one]));
    await this.#change(workgroup, [...byId.keys()], (row) => {
      const turn = byId.get(row.id);
      if (!turn || row.closedAt || row.condition === turn.to) return null;
      return [turnOf(row, turn)];
    });
  }

  /** A late row would have fired it, or did while nobody looked. */
  async late(workgroup: string, id: string, at: number, value: string | number | null): Promise<void> {
    await this.#change(workgroup, [id], (row) =>
      row.closedAt ? null : [{ row, patch: {}, action: 'late', at, value }],
    );
  }

  async close(workgroup: string, ids: readonly string[], reason: CloseReason): Promise<void> {
    const at = this.#now();
    await this.#change(workgroup, ids, (row) => (row.closedAt ? null : [closing(row, reason, at)]));
  }

  /** Silences by a plan, or ends that: what leaves it begins as unacknowledged and is told. */
  async silence(
    workgroup: string,
    wanted: ReadonlyMap<string, 'design' | 'outOfService' | null>,
    text: string | null = null,
  ): Promise<void> {
    const at = this.#now();
    await this.#change(workgroup, [...wanted.keys()], (row) => {
      const silenced = wanted.get(row.id) ?? null;
      if (row.closedAt || row.silenced === silenced) return null;
      if (silenced) return [{ row, patch: { silenced }, action: 'suppressed', at, text }];
      return [{ row, patch: { silenced, acknowledged: [] }, action: 'unsuppressed', at }];
    });
  }

  /** What follows from the time alone: shelves end, what returned closes, consequences outlive their causes. */
  async settle(now = this.#now()): Promise<void> {
    for (const workgroup of this.workgroups()) {
      const open = this.openIn(workgroup);
      const byId = new Map(open.map((row) => [row.id, row]));
      const due = open.filter((row) => this.#isDue(row, byId, now));
      if (due.length === 0) continue;
      await this.#change(
        workgroup,
        due.map(({ id }) => id),
        (row) => {
          if (row.closedAt) return null;
          if (row.shelvedUntil && row.shelvedUntil.getTime() <= now)
            return [{ row, patch: OFF_SHELF, action: 'unshelved', at: now }];
          if (isOver(row, now)) return [closing(row, 'cleared', now)];
          if (row.causedBy !== null && isCauseOver(byId.get(row.causedBy), now))
            return [{ row, patch: { causedBy: null }, action: 'unsuppressed', at: now }];
          return null;
        },
      );
    }
  }

  /** A message went out, or did not. */
  async told(
    workgroup: string,
    id: string,
    { text, error }: { text: string; error: string | null },
  ): Promise<void> {
    const at = this.#now();
    await this.#change(workgroup, [id], (row) => [
      {
        row,
        patch: {},
        action: error === null ? 'delivered' : 'undelivered',
        at,
        text: error === null ? text : `${text}: ${error}`,
      },
    ]);
  }

  async setEnergy(workgroup: string, id: string, energy: NonNullable<Incident['energy']>): Promise<void> {
    await this.#options.store.setEnergy(workgroup, id, energy);
    const row = this.openIn(workgroup).find((one) => one.id === id);
    if (!row) return;
    this.#note({ ...row, energy });
    await this.#options.bus.publish(incidentsChanged, { workgroup, ids: [id] });
  }

  #isDue(row: IncidentRow, byId: ReadonlyMap<string, IncidentRow>, now: number): boolean {
    if (row.shelvedUntil && row.shelvedUntil.getTime() <= now) return true;
    return isOver(row, now) || (row.causedBy !== null && isCauseOver(byId.get(row.causedBy), now));
  }

  /** Devices that are the cause of what else is wrong with them, with the incident that says so. */
  #causes(workgroup: string): Map<string, string> {
    return new Map(
      this.openIn(workgroup).flatMap((row) =>
        isCause(row.kind) && row.device && row.condition !== 'clear' ? [[row.device, row.id]] : [],
      ),
    );
  }

  // How changes are written.

  /** Changes rows under their locks; answers how many. */
  async #change(
    workgroup: string,
    ids: readonly string[],
    changeOf: (row: IncidentRow) => Change[] | null,
  ): Promise<number> {
    if (ids.length === 0) return 0;
    let count = 0;
    await this.#write(workgroup, async (inside) => {
      const rows = await this.#options.store.lock(workgroup, ids, inside);
      const changes = rows.flatMap((row) => changeOf(row) ?? []);
      count = new Set(changes.map(({ row }) => row.id)).size;
      return changes;
    });
    return count;
  }

  async #write(workgroup: string, work: (inside: Transaction) => Promise<Change[]>): Promise<void> {
    const { store, bus } = this.#options;
    const severities = await this.#severities(workgroup);
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
    for (const row of after) this.#note(row);
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
      const incident = this.#whole(row, severities, change.at);
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

  #note(row: IncidentRow): void {
    const own = this.#open.get(row.workgroup) ?? new Map<string, IncidentRow>();
    const key = keyOf(row.alert, row.subjectKey);
    if (!row.closedAt) own.set(key, row);
    else if (own.get(key)?.id === row.id) own.delete(key);
    if (own.size > 0) this.#open.set(row.workgroup, own);
    else this.#open.delete(row.workgroup);
  }

  // How they are shown.

  async #visible(caller: Caller, id: string): Promise<IncidentRow> {
    const row = await this.#options.store.find(caller.workgroup, id);
    if (!row || !sees(caller.devices, row)) throw new AppError('incident.not_found');
    return row;
  }

  async #one(caller: Caller, id: string): Promise<Incident> {
    const row = await this.#visible(caller, id);
    const [shown] = await this.#shown(caller, [row], await this.#options.store.open(caller.workgroup));
    if (!shown) throw new AppError('incident.not_found');
    return shown;
  }

  async #shown(caller: Caller, rows: readonly IncidentRow[], open = rows): Promise<Incident[]> {
    const severities = await this.#severities(caller.workgroup);
    const isSeen = (row: IncidentRow) => sees(caller.devices, row);
    const under = Map.groupBy(
      open.filter((row) => row.causedBy !== null && !row.closedAt && isSeen(row)),
      (row) => row.causedBy ?? '',
    );
    const now = this.#now();
    return rows
      .filter(isSeen)
      .map((row) => ({ ...this.#whole(row, severities, now), consequences: under.get(row.id)?.length ?? 0 }));
  }

  /** As everybody of a workgroup who may see it is told. */
  async seenByAll(workgroup: string, ids: readonly string[]): Promise<Incident[]> {
    const severities = await this.#severities(workgroup);
    const under = Map.groupBy(this.openIn(workgroup), (row) => row.causedBy ?? '');
    const rows = await this.#options.store.byIds(workgroup, ids);
    return rows.map((row) => ({
      ...this.#whole(row, severities, this.#now()),
      consequences: under.get(row.id)?.length ?? 0,
    }));
  }

  #whole(row: IncidentRow, severities: ReadonlyMap<string, Severity>, now: number): WholeIncident {
    const device = row.device ? this.#options.registry.known(row.device) : null;
    const deviceName = device?.workgroup === row.workgroup ? device.name : null;
    return incidentOf(row, { severities, deviceName, now });
  }

  async #severities(workgroup: string): Promise<ReadonlyMap<string, Severity>> {
    return severitiesOf((await this.#options.workgroups.get(workgroup)).settings);
  }

  #record(workgroup: string, row: IncidentRow, by: Actor, action: string, newValue?: string): void {
    this.#options.audit.record({
      workgroup,
      ...(row.device ? { device: row.device } : {}),
      at: this.#now(),
      controller: 'incident',
      entity: `${row.name} (${row.id})`,
      action,
      newValue: newValue ?? row.subject,
      by: by.email,
      address: by.address,
    });
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

const OFF_SHELF: IncidentPatch = { shelvedUntil: null, shelvedReason: null };

const keyOf = (alert: string, subjectKey: string): string => `${alert} ${subjectKey}`;

/** A device that is away explains all else that is wrong with it. */
const isCause = (kind: IncidentRow['kind']): boolean => kind === 'offline';

/** True for what the caller may know of: of a device in their scope, and of a source that they see of it. */
export function sees(scope: DeviceScope, of: { device: string | null; source: string | null }): boolean {
  if (of.device === null) return scope.isAll;
  return of.source === null ? scope.has(of.device) : seesSource(scope, of.device, of.source);
}

/** Gravest first, then what costs the most, then the newest. */
const byWeight = (a: Incident, b: Incident): number =>
  a.severity.rank - b.severity.rank ||
  (b.energy?.energyWh ?? 0) - (a.energy?.energyWh ?? 0) ||
  b.createdAt - a.createdAt;

/** It returned, has been quiet for a while, and needs nobody's answer. */
const isOver = (row: IncidentRow, now: number): boolean =>
  row.condition === 'clear' &&
  row.clearedAt !== null &&
  row.clearedAt.getTime() + FLAP_MS <= now &&
  !(row.shelvedUntil && row.shelvedUntil.getTime() > now) &&
  (!row.isLatched || row.acknowledged.length > 0);

const isCauseOver = (cause: IncidentRow | undefined, now: number): boolean =>
  !cause || (cause.condition === 'clear' && (cause.clearedAt?.getTime() ?? 0) + CAUSE_OVER_MS <= now);

function closing(row: IncidentRow, reason: CloseReason, at: number): Change {
  const patch = { closedAt: new Date(at), closeReason: reason };
  return { row, patch, action: 'closed', at, text: reason };
}

const ACTIONS = { active: 'known', clear: 'returned', unknown: 'unknown', failed: 'failed' } as const;

function turnOf(row: IncidentRow, { to, at, value, text }: Turn): Change {
  const patch: IncidentPatch = { condition: to, clearedAt: to === 'clear' ? new Date(at) : null };
  return { row, patch, action: ACTIONS[to], at, value: value ?? null, text: text ?? null };
}

function rowOf(workgroup: string, opening: Opening): NewIncidentRow {
  const {
    alert,
    subject,
    at,
    since,
    reading,
    finding = null,
    condition = 'active',
    silenced = null,
  } = opening;
  return {
    id: randomUUID(),
    workgroup,
    alert: alert.id,
    subjectKey: subject.key,
    name: alert.name,
    kind: alert.kind,
    finding,
    severity: alert.severity,
    category: alert.category,
    device: subject.device,
    table: subject.table,
    source: subject.source,
    subject: subject.name,
    condition,
    isLatched: alert.latched,
    since: new Date(since),
    createdAt: new Date(at),
    changedAt: new Date(at),
    reading,
    silenced,
  };
}
