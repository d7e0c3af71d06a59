import { isDeepStrictEqual } from 'node:util';
import {
  ALERT_LIMITS,
  type Alert,
  type NewAlert,
  type NewSuppression,
  type Suppression,
} from '@albedo/contract/alerts/alerts.schema';
import type { Actor } from '../access/actor.ts';
import type { Caller } from '../access/caller.ts';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { Entities } from '../entities/entities.service.ts';
import { AppError } from '../errors/app-error.ts';
import { demandNewest, type History, type Save } from '../history/history.service.ts';
import { type Incidents, sees } from '../incidents/incidents.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { TellList } from '../sockets/lists.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { checkAlert, checkSuppression, type Known } from './alert-checks.ts';
import { labelsIn } from './alert-scope.ts';
import type { AlertRow, AlertsStore, SuppressionRow } from './alerts.store.ts';
import { alertsChanged } from './alerts.topics.ts';
import { SHIPPED_ALERTS } from './shipped-alerts.ts';
import { occurrenceAt } from './suppression-times.ts';

export interface AlertsOptions {
  store: AlertsStore;
  incidents: Incidents;
  entities: Pick<Entities, 'allFacts'>;
  registry: DeviceRegistry;
  workgroups: Pick<Workgroups, 'get'>;
  memberIds: (workgroup: string) => Promise<ReadonlySet<string>>;
  audit: Audit;
  history: Pick<History, 'keep' | 'saving'>;
  bus: Bus;
  tell: TellList;
  now?: () => number;
}

/** Throws `request.invalid` with the part at fault. */
type AlertCheck = (workgroup: string, alert: NewAlert) => Promise<void>;

/** The rules that make incidents, and the times in which they stay silent. */
export class Alerts {
  readonly #options: AlertsOptions;

  readonly #checks: AlertCheck[] = [];

  constructor(options: AlertsOptions) {
    this.#options = options;
  }

  /** Has another feature say what is wrong with what an alert names of it. */
  addCheck(check: AlertCheck): void {
    this.#checks.push(check);
  }

  /** Gives a workgroup those that come with the product; one that somebody deleted does not come again. */
  async ship(workgroup: string): Promise<void> {
    const added = await Promise.all(
      Object.entries(SHIPPED_ALERTS).map(([shipped, content]) =>
        this.#options.store.add(workgroup, content, { shipped }),
      ),
    );
    // Another one has the name of one: the workgroup has its own.
    if (added.some((row) => row !== null)) await this.#changed(workgroup);
  }

  /** Gives them to every workgroup that lacks some. */
  async shipAll(): Promise<void> {
    const count = Object.keys(SHIPPED_ALERTS).length;
    for (const workgroup of await this.#options.store.withoutShipped(count)) await this.ship(workgroup);
  }

  async list({ workgroup, devices }: Caller): Promise<Alert[]> {
    const rows = await this.#options.store.list(workgroup);
    const open = Map.groupBy(
      this.#options.incidents.openIn(workgroup).filter((row) => sees(devices, row)),
      ({ alert }) => alert,
    );
    return rows.map((row) => {
      const alert = alertOf(row, open.get(row.id)?.length ?? 0);
      return devices.isAll ? alert : { ...alert, scope: seenOf(alert.scope, devices), notify: NOBODY };
    });
  }

  /** Throws `alert.too_many`, `alert.name_taken`, and `request.invalid` with the part at fault. */
  async create(workgroup: string, wanted: NewAlert, by: Actor, id?: string): Promise<Alert> {
    const { store } = this.#options;
    checkAlert(wanted, await this.#known(workgroup));
    for (const check of this.#checks) await check(workgroup, wanted);
    const { alerts: count } = ALERT_LIMITS;
    if ((await store.count(workgroup)) >= count) throw new AppError('alert.too_many', { count });
    const row = await store.add(workgroup, wanted, id === undefined ? {} : { id });
    if (!row) throw new AppError('alert.name_taken', { name: wanted.name });
    await this.#keep(workgroup, by, saveOf(row));
    this.#record(workgroup, 'alert', row, by, { action: 'create', newValue: JSON.stringify(wanted) });
    await this.#changed(workgroup);
    return alertOf(row, 0);
  }

  /**
   * Throws `alert.not_found`, `alert.name_taken`, `history.not_newest`, and `request.invalid` with the part at fault.
   */
  async update(workgroup: string, id: string, wanted: NewAlert, by: Actor, version?: number): Promise<Alert> {
    return this.#options.history.saving({ workgroup, kind: 'alert', id }, async () =>
      this.#save(workgroup, await this.#alert(workgroup, id), wanted, by, version),
    );
  }

  /** As `update`, also of one that was deleted. */
  async restore(workgroup: string, id: string, wanted: NewAlert, by: Actor): Promise<Alert> {
    return this.#options.history.saving({ workgroup, kind: 'alert', id }, async () => {
      const before = await this.#options.store.find(workgroup, id);
      if (!before) throw new AppError('alert.not_found');
      return this.#save(workgroup, before, wanted, by);
    });
  }

  async #save(
    workgroup: string,
    before: AlertRow,
    wanted: NewAlert,
    by: Actor,
    version?: number,
  ): Promise<Alert> {
    const { store, incidents } = this.#options;
    const { id } = before;
    const open = () => incidents.openIn(workgroup).filter(({ alert }) => alert === id).length;
    checkAlert(wanted, await this.#known(workgroup));
    for (const check of this.#checks) await check(workgroup, wanted);
    // The client repeats a save whose answer it never got.
    if (!before.deletedAt && isDeepStrictEqual(before.content, wanted)) return alertOf(before, open());
    demandNewest(version, before.version);
    const row = await store.set(workgroup, id, wanted, version, { revives: before.deletedAt !== null });
    if (row === undefined) throw new AppError('alert.not_found');
    if (row === null) throw new AppError('alert.name_taken', { name: wanted.name });
    const change = { oldValue: JSON.stringify(before.content), newValue: JSON.stringify(wanted) };
    await this.#keep(workgroup, by, { ...saveOf(row), before: saveOf(before) });
    this.#record(workgroup, 'alert', row, by, { action: 'update', ...change });
    await this.#changed(workgroup);
    return alertOf(row, open());
  }

  /** Deleting it again changes nothing. Throws `alert.not_found` for one that never was. */
  async remove(workgroup: string, id: string, by: Actor): Promise<void> {
    const row = await this.#options.store.find(workgroup, id);
    if (!row) throw new AppError('alert.not_found');
    if (!(await this.#options.store.remove(workgroup, id))) return;
    await this.#keep(workgroup, by, { ...saveOf(row), content: null, before: saveOf(row) });
    this.#record(workgroup, 'alert', row, by, { action: 'delete', oldValue: JSON.stringify(row.content) });
    await this.#changed(workgroup);
  }

  /** All of a workgroup, by name. */
  all(workgroup: string): Promise<AlertRow[]> {
    return this.#options.store.list(workgroup);
  }

  /** Also where it is deleted by now. */
  async wasThere(workgroup: string, id: string): Promise<boolean> {
    return (await this.#options.store.find(workgroup, id)) !== undefined;
  }

  /** The name of one that tells a channel, or by an escalation; null where none does. */
  async nameOfUser(workgroup: string, part: 'channels' | 'escalations', id: string): Promise<string | null> {
    const all = await this.#options.store.list(workgroup);
    const user = all.find(({ content: { notify } }) =>
      part === 'channels' ? notify.channels.includes(id) : notify.escalation === id,
    );
    return user?.content.name ?? null;
  }

  async find(workgroup: string, id: string): Promise<AlertRow | undefined> {
    const row = await this.#options.store.find(workgroup, id);
    return row?.deletedAt ? undefined : row;
  }

  // Planned suppressions.

  async suppressions({ workgroup, devices }: Caller): Promise<Suppression[]> {
    return (await this.#options.store.suppressions(workgroup)).map((row) => {
      const shown = this.#shown(row);
      return devices.isAll ? shown : { ...shown, scope: seenOf(shown.scope, devices) };
    });
  }

  async suppress(workgroup: string, wanted: NewSuppression, by: Actor): Promise<Suppression> {
    const { store } = this.#options;
    checkSuppression(wanted, await this.#known(workgroup));
    const { suppressions: count } = ALERT_LIMITS;
    if ((await store.suppressions(workgroup)).length >= count)
      throw new AppError('suppression.too_many', { count });
    const row = await store.addSuppression(workgroup, wanted, by.email);
    this.#record(workgroup, 'alert_suppression', row, by, {
      action: 'create',
      newValue: JSON.stringify(wanted),
    });
    await this.#changed(workgroup);
    return this.#shown(row);
  }

  async changeSuppression(
    workgroup: string,
    id: string,
    wanted: NewSuppression,
    by: Actor,
  ): Promise<Suppression> {
    checkSuppression(wanted, await this.#known(workgroup));
    const row = await this.#options.store.setSuppression(workgroup, id, wanted);
    if (!row) throw new AppError('suppression.not_found');
    this.#record(workgroup, 'alert_suppression', row, by, {
      action: 'update',
      newValue: JSON.stringify(wanted),
    });
    await this.#changed(workgroup);
    return this.#shown(row);
  }

  /** What still holds is told at once. Ending it again changes nothing. */
  async endSuppression(workgroup: string, id: string, by: Actor): Promise<void> {
    const row = await this.#options.store.removeSuppression(workgroup, id);
    if (row === undefined) throw new AppError('suppression.not_found');
    if (row === null) return;
    this.#record(workgroup, 'alert_suppression', row, by, {
      action: 'delete',
      oldValue: JSON.stringify(row.content),
    });
    await this.#changed(workgroup);
  }

  #shown({ id, content, createdBy }: SuppressionRow): Suppression {
    const { isActive, nextAt } = occurrenceAt(content, this.#now());
    return { ...content, _id: id, createdBy, isActive: content.enabled && isActive, nextAt };
  }

  async #known(workgroup: string): Promise<Known> {
    const { workgroups, entities, registry, memberIds } = this.#options;
    const [{ settings }, facts, members] = await Promise.all([
      workgroups.get(workgroup),
      entities.allFacts(workgroup),
      memberIds(workgroup),
    ]);
    return {
      settings,
      entities: facts,
      members,
      hasDevice: (id) => registry.known(id)?.workgroup === workgroup,
      hasSourceWith: (label) => {
        const hasLabel = labelsIn(registry);
        return registry.inWorkgroup(workgroup).some(({ id }) => hasLabel(label, id, null));
      },
    };
  }

  async #alert(workgroup: string, id: string): Promise<AlertRow> {
    const row = await this.#options.store.find(workgroup, id);
    if (!row || row.deletedAt) throw new AppError('alert.not_found');
    return row;
  }

  #keep(workgroup: string, by: Actor, save: Save): Promise<void> {
    return this.#options.history.keep({ workgroup, kind: 'alert', by }, [save]);
  }

  /** Resolves when this process evaluates by it. */
  async #changed(workgroup: string): Promise<void> {
    this.#options.tell('alerts', workgroup);
    this.#options.tell('suppressions', workgroup);
    await this.#options.bus.publish(alertsChanged, { workgroup });
  }

  #record(
    workgroup: string,
    controller: 'alert' | 'alert_suppression',
    { id, name }: Pick<AlertRow, 'id' | 'name'>,
    by: Actor,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
  ): void {
    this.#options.audit.record({
      workgroup,
      at: this.#now(),
      controller,
      entity: `${name} (${id})`,
      attribute: 'record',
      by: by.email,
      address: by.address,
      ...what,
    });
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

const alertOf = ({ id, content, version, updatedAt, shipped }: AlertRow, open: number): Alert => ({
  ...content,
  conditions: content.conditions as unknown as Alert['conditions'],
  clearConditions: content.clearConditions as unknown as Alert['clearConditions'],
  _id: id,
  version,
  updatedAt: updatedAt.getTime(),
  shipped,
  open,
});

const saveOf = ({ id, name, version, content }: AlertRow): Save => ({ id, name, version, content });

const NOBODY: Alert['notify'] = {
  users: [],
  emails: [],
  channels: [],
  escalation: null,
  onResolve: true,
  repeatHours: null,
};

/** A scope without what the members of a device group may not know of. */
function seenOf(scope: Alert['scope'], devices: DeviceScope): Alert['scope'] {
  if (scope.kind === 'devices')
    return { ...scope, devices: scope.devices.filter((device) => devices.has(device)) };
  if (scope.kind !== 'sources') return scope;
  return {
    ...scope,
    sources: scope.sources.filter(({ device, source }) => seesSource(devices, device, source)),
  };
}
