import {
  type AlarmLoad,
  type CloseReason,
  type Incident,
  type IncidentDetail,
  type incidentHistory,
  SHELF_DAYS,
} from '@albedo/contract/incidents/incidents.schema';
import type { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import type { Caller } from '../access/caller.ts';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import { loadOf } from './alarm-load.ts';
import { type BookOptions, IncidentBook } from './incident-book.ts';
import {
  type Change,
  closing,
  isCause,
  isCauseOver,
  isOver,
  OFF_SHELF,
  type Opening,
  rowOf,
  type Turn,
  turnOf,
} from './incident-changes.ts';
import { type IncidentRow, isSilent, stateOf } from './incident-state.ts';
import type { IncidentsStore, NewIncidentRow } from './incidents.store.ts';
import { incidentsChanged } from './incidents.topics.ts';
import type { StepListener } from './steps.topics.ts';

export { mostWithin } from './alarm-load.ts';
export { FLAP_MS, type IncidentAlert, type Opening, type Subject, type Turn } from './incident-changes.ts';
export { type IncidentRow, severitiesOf } from './incident-state.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How many of the last ended incidents are searched for one that the caller may see. */
const ENDED_LOOKED_AT = 100;

export interface IncidentsOptions extends BookOptions {
  audit: Audit;
  now?: () => number;
}

/**
 * Incidents and their life, as ISA-18.2 has it. One incident is open for an alert and a subject, over all processes.
 */
export class Incidents {
  readonly #options: IncidentsOptions;
  readonly #book: IncidentBook;

  constructor(options: IncidentsOptions) {
    this.#options = options;
    this.#book = new IncidentBook(options);
  }

  /** Has somebody hear of every step, inside the transaction that writes it. */
  onSteps(listener: StepListener): void {
    this.#book.onSteps(listener);
  }

  start(): Promise<void> {
    return this.#book.start();
  }

  /** Takes over what another process changed. */
  refresh(workgroup: string, ids: readonly string[]): Promise<void> {
    return this.#book.refresh(workgroup, ids);
  }

  /** Of a workgroup that is gone. */
  forget(workgroup: string): void {
    this.#book.forget(workgroup);
  }

  /** The open ones of a workgroup, from memory. */
  openIn(workgroup: string): IncidentRow[] {
    return this.#book.openIn(workgroup);
  }

  /** The open one of an alert about a subject, from memory. */
  openOf(workgroup: string, alert: string, subjectKey: string): IncidentRow | undefined {
    return this.#book.openOf(workgroup, alert, subjectKey);
  }

  // What people see.

  /** What is wrong, the gravest and most costly first. */
  async active(caller: Caller): Promise<Incident[]> {
    const rows = await this.#options.store.open(caller.workgroup);
    return (await this.#shown(caller, rows)).sort(byWeight);
  }

  /** When the last incident that the caller may see ended, epoch ms; null if there never was one. */
  async lastEnd(caller: Caller): Promise<number | null> {
    const { workgroup, devices } = caller;
    const ended = await this.#options.store.ended(
      workgroup,
      devices.isAll ? null : devices.ids(),
      ENDED_LOOKED_AT,
    );
    return ended.find((row) => sees(devices, row))?.closedAt?.getTime() ?? null;
  }

  async history(caller: Caller, query: z.output<typeof incidentHistory>): Promise<Incident[]> {
    const { workgroup, devices } = caller;
    const among = devices.isAll ? null : devices.ids();
    return this.#shown(caller, await this.#options.store.during(workgroup, query, among));
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
    return this.#book.change(workgroup, ids, (row) => {
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
    await this.#book.change(caller.workgroup, [id], (row) => [
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
    await this.#book.change(caller.workgroup, [id], (now) => {
      if (now.closedAt) throw new AppError('incident.closed');
      if (now.shelvedUntil?.getTime() === until && now.shelvedReason === reason) return null;
      this.#record(caller.workgroup, now, by, 'shelve', reason);
      const patch = { shelvedUntil: new Date(until), shelvedReason: reason };
      return [{ row: now, patch, action: 'shelved', at, by: by.email, text: reason }];
    });
    return this.#one(caller, id);
  }

  async unshelve(caller: Caller, id: string, by: Actor): Promise<Incident> {
    await this.#visible(caller, id);
    const at = this.#now();
    await this.#book.change(caller.workgroup, [id], (row) => {
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
      this.#book.severities(caller.workgroup),
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
      const known = this.#book.openOf(workgroup, alert.id, subject.key);
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
    await this.#book.write(workgroup, async (inside) => {
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
        const under = this.#book
          .openIn(workgroup)
          .filter(
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
    const gone = new Map(byId);
    await this.#book.change(workgroup, [...byId.keys()], (row) => {
      const opening = byId.get(row.id);
      if (!opening || row.closedAt) return null;
      gone.delete(row.id);
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
    // It was closed while this came: it begins anew.
    const fresh = [...gone.values()].map((opening) => ({ opening, row: rowOf(workgroup, opening) }));
    if (fresh.length > 0) await this.#openNew(workgroup, fresh, this.#options.store);
  }

  /** Changes of conditions; what is so already is left out. */
  async turn(workgroup: string, turns: readonly Turn[]): Promise<void> {
    const byId = new Map(turns.map((one) => [one.id, one]));
    await this.#book.change(workgroup, [...byId.keys()], (row) => {
      const turn = byId.get(row.id);
      if (!turn || row.closedAt || row.condition === turn.to) return null;
      return [turnOf(row, turn)];
    });
  }

  /** A late row would have fired it, or did while nobody looked. */
  async late(workgroup: string, id: string, at: number, value: string | number | null): Promise<void> {
    await this.#book.change(workgroup, [id], (row) =>
      row.closedAt ? null : [{ row, patch: {}, action: 'late', at, value }],
    );
  }

  async close(workgroup: string, ids: readonly string[], reason: CloseReason): Promise<void> {
    const at = this.#now();
    await this.#book.change(workgroup, ids, (row) => (row.closedAt ? null : [closing(row, reason, at)]));
  }

  /** Silences by a plan, or ends that: what leaves it begins as unacknowledged and is told. */
  async silence(
    workgroup: string,
    wanted: ReadonlyMap<string, 'design' | 'outOfService' | null>,
    text: string | null = null,
  ): Promise<void> {
    const at = this.#now();
    await this.#book.change(workgroup, [...wanted.keys()], (row) => {
      const silenced = wanted.get(row.id) ?? null;
      if (row.closedAt || row.silenced === silenced) return null;
      if (silenced) return [{ row, patch: { silenced }, action: 'suppressed', at, text }];
      return [{ row, patch: { silenced, acknowledged: [] }, action: 'unsuppressed', at }];
    });
  }

  /** What follows from the time alone: shelves end, what returned closes, consequences outlive their causes. */
  async settle(now = this.#now()): Promise<void> {
    const failures: unknown[] = [];
    // What one workgroup has wrong keeps nobody else from being told.
    for (const workgroup of this.#book.workgroups())
      await this.#settleIn(workgroup, now).catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  async #settleIn(workgroup: string, now: number): Promise<void> {
    const open = this.#book.openIn(workgroup);
    const byId = new Map(open.map((row) => [row.id, row]));
    const due = open.filter((row) => this.#isDue(row, byId, now));
    if (due.length === 0) return;
    await this.#book.change(
      workgroup,
      due.map(({ id }) => id),
      (row) => {
        if (row.closedAt) return null;
        if (row.shelvedUntil && row.shelvedUntil.getTime() <= now)
          return [{ row, patch: OFF_SHELF, action: 'unshelved', at: now }];
        if (isOver(row, now)) return [closing(row, 'cleared', now)];
        if (row.causedBy !== null && isCauseOver(byId.get(row.causedBy), now))
          return [{ row, patch: { causedBy: null, acknowledged: [] }, action: 'unsuppressed', at: now }];
        return null;
      },
    );
  }

  /** A message went out, or did not. */
  async told(
    workgroup: string,
    id: string,
    { text, error }: { text: string; error: string | null },
  ): Promise<void> {
    const at = this.#now();
    await this.#book.change(workgroup, [id], (row) => [
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
    const row = this.#book.openIn(workgroup).find((one) => one.id === id);
    if (!row) return;
    this.#book.note({ ...row, energy });
    await this.#options.bus.publish(incidentsChanged, { workgroup, ids: [id] });
  }

  #isDue(row: IncidentRow, byId: ReadonlyMap<string, IncidentRow>, now: number): boolean {
    if (row.shelvedUntil && row.shelvedUntil.getTime() <= now) return true;
    return isOver(row, now) || (row.causedBy !== null && isCauseOver(byId.get(row.causedBy), now));
  }

  /** Devices that are the cause of what else is wrong with them, with the incident that says so. */
  #causes(workgroup: string): Map<string, string> {
    return new Map(
      this.#book
        .openIn(workgroup)
        .flatMap((row) =>
          isCause(row.kind) && row.device && row.condition !== 'clear' ? [[row.device, row.id]] : [],
        ),
    );
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
    const severities = await this.#book.severities(caller.workgroup);
    const isSeen = (row: IncidentRow) => sees(caller.devices, row);
    const under = Map.groupBy(
      open.filter((row) => row.causedBy !== null && !row.closedAt && isSeen(row)),
      (row) => row.causedBy ?? '',
    );
    const now = this.#now();
    return rows.filter(isSeen).map((row) => ({
      ...this.#book.whole(row, severities, now),
      consequences: under.get(row.id)?.length ?? 0,
    }));
  }
  /** Open ones that it is the cause of, as far as somebody sees them. */
  consequencesOf({ _id, workgroupId }: Incident, scope: DeviceScope): number {
    const open = this.#book.openIn(workgroupId);
    return open.filter((row) => row.causedBy === _id && sees(scope, row)).length;
  }

  /** As everybody of a workgroup who may see it is told. */
  async seenByAll(workgroup: string, ids: readonly string[]): Promise<Incident[]> {
    const severities = await this.#book.severities(workgroup);
    const under = Map.groupBy(this.#book.openIn(workgroup), (row) => row.causedBy ?? '');
    const rows = await this.#options.store.byIds(workgroup, ids);
    return rows.map((row) => ({
      ...this.#book.whole(row, severities, this.#now()),
      consequences: under.get(row.id)?.length ?? 0,
    }));
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
