import type {
  Device,
  DeviceSummary,
  LatestSource,
  NamedDevice,
  newDevice,
} from '@albedo/contract/devices/devices.schema';
import type { devicesEvents } from '@albedo/contract/devices/devices.socket';
import { type DeviceMeta, deviceMeta } from '@albedo/contract/devices/meta.schema';
import { SOURCE_LABELS, soundLabels, sourceLabelsOf } from '@albedo/contract/labelling/labelling.schema';
import { type Info, infoOf, sourceInfos, sourceInfosOf } from '@albedo/contract/metadata/metadata.schema';
import { newUnknownZone } from '@albedo/contract/time/zone-facts';
import type { Arch } from '@albedo/contract/workgroups/archs';
import type { Postgres } from '@albedo/postgres/postgres';
import { together, whenHeld } from '@albedo/postgres/together';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { Ledger } from '../completeness/completeness.service.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid, issuesText, requestIssues } from '../errors/request-issues.ts';
import type { Health } from '../health/health.service.ts';
import type { Watches } from '../live-feeds/live-feeds.service.ts';
import { quarantineChanged } from '../registry/registry.topics.ts';
import type { RegisteredDevice } from '../registry/registry.ts';
import type { Teller } from '../sockets/teller.ts';
import { DevicePacks, type DevicePacksOptions } from './device-packs.ts';
import { DeviceQuarantine } from './device-quarantine.ts';
import type { By, Change } from './devices.record.ts';
import { visibleDevice, visibleSources } from './devices.scope.ts';
import type { DeviceRow, DevicesStore, InfoChange, InfoRow } from './devices.store.ts';
import { deviceRemoved, deviceSet, metaKept } from './devices.topics.ts';
import { MetaWriter } from './meta-writer.ts';

export type { By } from './devices.record.ts';
export type { InfoChange, InfoRow } from './devices.store.ts';

/** What all settings of one device may take together. */
const SETTINGS_LIMIT = { keys: 64, characters: 65_536 } as const;

export interface DevicesOptions extends Omit<DevicePacksOptions, 'row' | 'changed'> {
  postgres: Pick<Postgres, 'db'>;
  store: DevicesStore;
  deviceGroups: DeviceGroups;
  health: Health;
  ledger: Pick<Ledger, 'forget' | 'letGo'>;
  watches: Watches;
  latest: (caller: Caller, device: string) => Promise<LatestSource[]>;
  emit: Teller<typeof devicesEvents>['emit'];
}

/** What runs the agents of cloud devices. */
export interface DeviceHost {
  /** Throws where there is no room for one more. Answers the cloud that takes it. */
  demandRoom(workgroup: string, cloud: string | undefined): Promise<string>;
  host(device: string, cloud: string, isWanted: boolean): Promise<void>;
}

/** The devices of workgroups: what they are called, and what is known of them. */
export class Devices {
  /** How they come to their agent. */
  readonly packs: DevicePacks;
  /** Which of them are kept out. */
  readonly quarantine: DeviceQuarantine;
  readonly #options: DevicesOptions;
  readonly #metas: MetaWriter;
  #host: DeviceHost | null = null;

  constructor(options: DevicesOptions) {
    this.#options = options;
    this.#metas = new MetaWriter(options.store);
    this.packs = new DevicePacks({
      ...options,
      row: (workgroup, id) => this.#row(workgroup, id),
      changed: (row) => options.emit(row.workgroup, 'device:changed', this.#summary(registered(row))),
    });
    this.quarantine = new DeviceQuarantine({
      ...options,
      row: (workgroup, id) => this.#row(workgroup, id),
      changed: (row) => options.emit(row.workgroup, 'device:changed', this.#register(row)),
    });
  }

  /** Takes over a device that another process set. */
  async applySet(device: RegisteredDevice): Promise<void> {
    const { registry, deviceGroups, bus } = this.#options;
    const before = registry.known(device.id)?.quarantine ?? null;
    registry.set(device);
    deviceGroups.deviceChanged();
    if ((before === null) !== (device.quarantine === null))
      await bus.publish(quarantineChanged, { id: device.id });
  }

  /** Takes over that another process removed a device. */
  applyRemoved(id: string): void {
    this.#forget(id);
    this.#options.ledger.letGo(id);
  }

  /** The devices of the workgroup that the scope has, by name. */
  list(workgroup: string, scope: DeviceScope): DeviceSummary[] {
    return this.#options.registry.visible(workgroup, scope).map((device) => this.#summary(device));
  }

  /** The same, without what they are like. */
  names(workgroup: string, scope: DeviceScope): NamedDevice[] {
    return this.#options.registry.visible(workgroup, scope).map(({ id, name }) => ({ id, name }));
  }

  /** Throws `device.not_found`. */
  async get(workgroup: string, id: string, scope: DeviceScope): Promise<Device> {
    return visibleDevice(scope, this.#device(await this.#row(workgroup, id)));
  }

  /** Null for a device that this process does not know. */
  summaryOf(id: string): DeviceSummary | null {
    const device = this.#options.registry.known(id);
    return device && this.#summary(device);
  }

  /** Has cloud devices run by what runs them. */
  hostedBy(host: DeviceHost): void {
    this.#host = host;
  }

  /** As `create`; a cloud device is run by the cloud from then on. Throws what the host does too. */
  async createHosted(workgroup: string, device: z.output<typeof newDevice>, by: By): Promise<Device> {
    const host = this.#host;
    if (!device.ced || !host) return this.create(workgroup, device, by);
    const cloud = await host.demandRoom(workgroup, device.cedCloudId);
    const made = await this.create(workgroup, device, by);
    await host.host(made.id, cloud, !device.nocert);
    return made;
  }

  /** Throws `device.name_taken`. */
  async create(
    workgroup: string,
    device: Pick<z.output<typeof newDevice>, 'name' | 'arch' | 'ced'>,
    by: By,
  ): Promise<Device> {
    const { store, emit } = this.#options;
    const { name, arch, ced } = device;
    const row = await store.add(workgroup, { name, arch, ced, meta: deviceMeta.parse({}) });
    if (!row) throw new AppError('device.name_taken', { name: device.name });
    emit(workgroup, 'device:new', this.#register(row));
    this.#options.record(row, 'create', by, { newValue: row.name });
    return this.#device(row);
  }

  /** Throws `device.not_found` and `device.name_taken`. */
  async rename(workgroup: string, id: string, name: string, by: By): Promise<Device> {
    const { store, registry } = this.#options;
    const oldValue = registry.known(id)?.name;
    const row = await store.rename(workgroup, id, name);
    if (row === null) throw new AppError('device.name_taken', { name });
    if (row === undefined) throw new AppError('device.not_found', { id });
    this.#options.emit(workgroup, 'device:changed', this.#register(row));
    this.#options.record(row, 'rename', by, {
      attribute: 'name',
      oldValue: oldValue ?? null,
      newValue: name,
    });
    return this.#device(row);
  }

  /** Revokes the certificate of the device and forgets it; its stored events stay. Throws `device.not_found`. */
  async remove(workgroup: string, id: string, by: By): Promise<void> {
    const { store, certificates, ledger, bus, emit } = this.#options;
    const row = await this.#row(workgroup, id);
    await certificates.revoke(id);
    await store.remove(workgroup, id);
    await ledger.forget(id);
    this.#options.record(row, 'remove', by, { oldValue: row.name });
    // Told before it is forgotten: afterwards nobody knows for whom it existed.
    emit(workgroup, 'device:removed', { deviceId: id });
    this.#forget(id);
    await bus.publish(deviceRemoved, { workgroup, id });
  }

  /**
   * With `over`, what the caller had read, only what `value` has otherwise is changed: others may have changed the rest
   * meanwhile. Throws `device.not_found`, and `device_group.decides` for a bound caller (`scope`) whose change would decide
   * which device group the device belongs to.
   */
  async setSetting(
    of: { workgroup: string; id: string; scope: DeviceScope },
    key: string,
    said: unknown,
    by: By,
    over?: Readonly<Record<string, unknown>>,
  ): Promise<Device> {
    const { workgroup, id, scope } = of;
    const { postgres, store, deviceGroups, emit } = this.#options;
    const changed = await together(postgres, async () => {
      const row = await store.held(workgroup, id);
      if (!row) throw new AppError('device.not_found', { id });
      const value = over ? mergedOver(row.settings[key], over, said) : said;
      if (key === 'sourceInfo') checkOfSources(sourceInfos, value, scope, id);
      if (key === SOURCE_LABELS) checkOfSources(soundLabels, value, scope, id);
      demandZones(row.settings, key, value);
      if (key === 'info' && !scope.isAll) {
        const field = changedField(
          infoOf(row.settings.info),
          infoOf(value),
          deviceGroups.decidingFields(workgroup),
        );
        if (field !== null) throw new AppError('device_group.decides', { field });
      }
      if (!(await store.setSetting({ workgroup, id }, { key, value }, SETTINGS_LIMIT))) {
        const { keys, characters } = SETTINGS_LIMIT;
        throw new AppError('device.settings_full', { keys, limit: characters });
      }
      this.#options.record(row, 'setting', by, {
        attribute: key,
        ...(key === 'info' ? changeOf(row, value) : {}),
      });
      return this.#row(workgroup, id);
    });
    if (['info', 'sourceInfo', SOURCE_LABELS].includes(key))
      deviceGroups.duringChange(changed, () => this.#register(changed));
    emit(workgroup, 'device:changed', this.#summary(registered(changed)));
    return visibleDevice(scope, this.#device(changed));
  }

  /**
   * Says what the metadata of one source is; fields without a text are left out, and without fields it has none. With `over`,
   * what the form opened with, only what differs from it is changed. Throws `device.not_found`, also for a source that the
   * caller does not see.
   */
  async setSourceInfo(
    { workgroup, id, scope }: { workgroup: string; id: string; scope: DeviceScope },
    { source, info, over }: { source: string; info: Info; over?: Info | undefined },
    by: By,
  ): Promise<Device> {
    const { postgres, store, record } = this.#options;
    const changed = await together(postgres, async () => {
      const row = await store.held(workgroup, id);
      if (!row || !seesSource(scope, id, source)) throw new AppError('device.not_found', { id });
      const infos = sourceInfosOf(row.settings.sourceInfo);
      const before = Object.hasOwn(infos, source) ? infos[source] : undefined;
      const texts = Object.fromEntries(Object.entries(info).filter(([, text]) => text !== ''));
      const said = over ? (mergedOver(before, over, texts) as Info) : texts;
      demandZone(said, before, 'info');
      if (!(await store.setSourceInfo({ workgroup, id }, source, said, SETTINGS_LIMIT))) {
        const { keys, characters } = SETTINGS_LIMIT;
        throw new AppError('device.settings_full', { keys, limit: characters });
      }
      record(row, 'setting', by, {
        attribute: `metadata of ${source}`,
        oldValue: JSON.stringify(before ?? {}),
        newValue: JSON.stringify(said),
      });
      return this.#row(workgroup, id);
    });
    this.#options.emit(workgroup, 'device:changed', this.#register(changed));
    return visibleDevice(scope, this.#device(changed));
  }

  /** What is said of the devices and their sources; with `isHeld` nobody else changes it until the transaction ends. */
  infos(workgroup: string, { isHeld }: { isHeld: boolean }): Promise<InfoRow[]> {
    return this.#options.store.infos(workgroup, { isHeld });
  }

  /**
   * Says other things of many devices and their sources, of all or of none; to be called in a transaction that holds them
   * as they are `known`. Throws `device.settings_full`.
   */
  async changeInfos(
    workgroup: string,
    changes: readonly InfoChange[],
    known: readonly InfoRow[],
    by: By,
  ): Promise<void> {
    const { store, record, deviceGroups, emit } = this.#options;
    if (changes.length === 0) return;
    const before = new Map(known.map((row) => [row.id, row]));
    const rows = await store.changeInfos(workgroup, changes, SETTINGS_LIMIT);
    if (rows.length < changes.length) {
      const { keys, characters } = SETTINGS_LIMIT;
      throw new AppError('device.settings_full', { keys, limit: characters });
    }
    const wanted = new Map(changes.map((one) => [one.id, one]));
    for (const row of rows) {
      for (const attribute of ['info', 'sourceInfo', 'sourceLabels'] as const) {
        if (wanted.get(row.id)?.[attribute] === undefined) continue;
        const oldValue = JSON.stringify(before.get(row.id)?.[attribute] ?? {});
        record(row, 'setting', by, {
          attribute,
          oldValue,
          newValue: JSON.stringify(row.settings[attribute]),
        });
      }
    }
    await whenHeld(() => {
      deviceGroups.duringChanges(workgroup, () => {
        for (const row of rows) this.#register(row);
      });
      for (const row of rows) emit(workgroup, 'device:changed', this.#summary(registered(row)));
    });
  }

  /** Takes what a device says it captures. */
  async setMeta(workgroup: string, id: string, meta: DeviceMeta): Promise<void> {
    if (await this.#metas.keep({ workgroup, id, meta })) {
      this.#options.emit(workgroup, 'device:metaChange', { deviceId: id, meta });
    }
    void this.#options.bus.publish(metaKept, { device: id, meta });
  }

  /** The newest values of all sources of the device: the stored ones, and those that came since. */
  async latest(caller: Caller, id: string): Promise<LatestSource[]> {
    const stored = await this.#options.latest(caller, id);
    return visibleSources(caller.devices, id, this.#options.watches.merge(id, stored));
  }

  /** The device as it is kept. Throws `device.not_found`. */
  row(workgroup: string, id: string): Promise<DeviceRow> {
    return this.#row(workgroup, id);
  }

  /** Gives a new device the settings of another one. */
  async copySettings(
    { workgroupId, deviceId }: { workgroupId: string; deviceId: string },
    settings: Record<string, unknown>,
  ): Promise<void> {
    for (const [key, value] of Object.entries(settings))
      await this.#options.store.setSetting(
        { workgroup: workgroupId, id: deviceId },
        { key, value },
        SETTINGS_LIMIT,
      );
    const row = await this.#row(workgroupId, deviceId);
    this.#options.emit(workgroupId, 'device:changed', this.#register(row));
  }

  /** Throws `device.not_found`. */
  async archOf(workgroup: string, id: string): Promise<Arch> {
    return (await this.#row(workgroup, id)).arch;
  }

  async #row(workgroup: string, id: string): Promise<DeviceRow> {
    const row = await this.#options.store.get(workgroup, id);
    if (!row) throw new AppError('device.not_found', { id });
    return row;
  }

  #register(row: DeviceRow): DeviceSummary {
    const device = registered(row);
    this.#options.registry.set(device);
    void this.#options.bus.publish(deviceSet, device);
    return this.#summary(device);
  }

  #forget(id: string): void {
    this.#options.registry.forget(id);
    this.#options.health.forget(id);
  }

  #summary({ id, name, ced, createdAt, quarantine }: RegisteredDevice): DeviceSummary {
    const notAfter = this.#options.certificates.newest(id)?.notAfter.getTime() ?? null;
    return { id, name, ced, createdAt, notAfter, quarantine, facts: this.#options.health.of(id) };
  }

  #device(row: DeviceRow): Device {
    const { arch, meta, settings } = row;
    const summary = this.#summary(registered(row));
    return { ...summary, arch, meta, settings, gnat: summary.facts.gnat };
  }
}

/** What stands now, with what was changed from `over` to `said`. */
function mergedOver(now: unknown, over: Readonly<Record<string, unknown>>, said: unknown): unknown {
  if (!isRecord(said)) return said;
  const isSame = (key: string) =>
    Object.hasOwn(over, key) === Object.hasOwn(said, key) &&
    JSON.stringify(over[key]) === JSON.stringify(said[key]);
  return Object.fromEntries([
    ...Object.entries(isRecord(now) ? now : {}).filter(([key]) => isSame(key)),
    ...Object.entries(said).filter(([key]) => !isSame(key)),
  ]);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The metadata before and after; other settings may hold what the audit log must not. */
const changeOf = ({ settings }: DeviceRow, info: unknown): Change => ({
  oldValue: JSON.stringify(infoOf(settings.info)),
  newValue: JSON.stringify(infoOf(info)),
});

/** Throws `request.invalid`, and `device.not_found` for a caller who does not see all sources. */
function checkOfSources(schema: z.ZodType, value: unknown, scope: DeviceScope, id: string): void {
  if (scope.sources(id) !== null) throw new AppError('device.not_found', { id });
  const { error } = schema.safeParse(value);
  if (!error) return;
  const issues = requestIssues(error.issues, 'value');
  throw new AppError('request.invalid', { what: issuesText(issues) }, issues);
}

/** Refuses a time zone that does not exist, unless it stood in the metadata before. Throws `request.invalid`. */
function demandZones(settings: Readonly<Record<string, unknown>>, key: string, value: unknown): void {
  if (key === 'info') demandZone(infoOf(value), infoOf(settings.info), 'value');
  if (key !== 'sourceInfo') return;
  const before = sourceInfosOf(settings.sourceInfo);
  for (const [source, info] of Object.entries(sourceInfosOf(value)))
    demandZone(info, before[source], `value.${source}`);
}

function demandZone(info: Info, before: Info | undefined, place: string): void {
  const odd = newUnknownZone(info, before);
  if (odd) throw invalid('issue.zone_unknown', { zone: odd.zone }, `${place}.${odd.path}`);
}

/** The first of some fields whose value is another one now; null where they are as they were. */
function changedField(
  before: Record<string, string>,
  after: Record<string, string>,
  fields: ReadonlySet<string>,
): string | null {
  return [...fields].find((field) => before[field] !== after[field]) ?? null;
}

const registered = (row: DeviceRow): RegisteredDevice => ({
  id: row.id,
  workgroup: row.workgroup,
  name: row.name,
  ced: row.ced,
  createdAt: row.createdAt.getTime(),
  quarantine: row.quarantine,
  info: infoOf(row.settings.info),
  sourceInfo: sourceInfosOf(row.settings.sourceInfo),
  sourceLabels: sourceLabelsOf(row.settings.sourceLabels),
});
