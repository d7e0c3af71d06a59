import type { Readable } from 'node:stream';
import type {
  Arch,
  certificateInfo,
  Device,
  DeviceSummary,
  installOffer,
  LatestSource,
  NamedDevice,
  newDevice,
} from '@albedo/contract/devices/devices.schema';
import type { devicesEvents } from '@albedo/contract/devices/devices.socket';
import { type DeviceMeta, deviceMeta } from '@albedo/contract/devices/meta.schema';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { PRODUCT } from '@albedo/contract/product';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { DeviceScope } from '../access/device-scope.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { CertificateRow, Certificates } from '../certificates/certificates.service.ts';
import { certificateChanged } from '../certificates/certificates.topics.ts';
import type { Ledger } from '../completeness/completeness.service.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import type { Enrolment } from '../enrolment/enrolment.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Health } from '../health/health.service.ts';
import type { Watches } from '../live-feeds/live-feeds.service.ts';
import { type Packs, SUMS } from '../packs/packs.service.ts';
import { type DeviceRegistry, infoOf, type RegisteredDevice } from '../registry/registry.ts';
import type { Teller } from '../sockets/teller.ts';
import { visibleDevice, visibleSources } from './devices.scope.ts';
import type { DeviceRow, DevicesStore } from './devices.store.ts';
import { deviceRemoved, deviceSet, metaKept } from './devices.topics.ts';

/** What all settings of one device may take together. */
const SETTINGS_LIMIT = { keys: 64, characters: 65_536 } as const;

type CertificateInfo = z.output<typeof certificateInfo>;
type InstallOffer = z.output<typeof installOffer>;

export interface DevicesOptions {
  store: DevicesStore;
  registry: DeviceRegistry;
  deviceGroups: DeviceGroups;
  certificates: Certificates;
  enrolment: Enrolment;
  packs: Packs;
  health: Health;
  ledger: Pick<Ledger, 'forget' | 'letGo'>;
  watches: Watches;
  audit: Audit;
  bus: Bus;
  latest: (caller: Caller, device: string) => Promise<LatestSource[]>;
  emit: Teller<typeof devicesEvents>['emit'];
  /** Where agents reach the device link, and people the server. */
  addresses: () => { mqtt: { hostname: string; port: number }; publicUrl: string };
}

/** What changed, for the audit log. */
type Change = Pick<AuditEntry, 'attribute' | 'oldValue' | 'newValue'>;

/** Who changes something, for the audit log. */
export type By = { email: string | null; address: string } | null;

/** What runs the agents of cloud devices. */
export interface DeviceHost {
  /** Throws where there is no room for one more. Answers the cloud that takes it. */
  demandRoom(workgroup: string, cloud: string | undefined): Promise<string>;
  host(device: string, cloud: string, isWanted: boolean): Promise<void>;
}

/** Everything that a machine needs, or its keys alone. */
export type PackPart = 'all' | 'keys';

/** What the audit log calls them. */
const PACK_NAMES = { all: 'agentpack', keys: 'certpack' } as const satisfies Record<PackPart, string>;

/** A pack and the name to save it under. */
export interface PackFile {
  stream: Readable;
  fileName: string;
}

/** The devices of workgroups: what they are called, who they are, and how they come to their agent. */
export class Devices {
  readonly #options: DevicesOptions;
  #host: DeviceHost | null = null;

  constructor(options: DevicesOptions) {
    this.#options = options;
  }

  /** Takes over a device that another process set. */
  applySet(device: RegisteredDevice): void {
    this.#options.registry.set(device);
    this.#options.deviceGroups.deviceChanged();
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
    this.#record(row, 'create', by, { newValue: row.name });
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
    this.#record(row, 'rename', by, {
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
    this.#record(row, 'remove', by, { oldValue: row.name });
    // Told before it is forgotten: afterwards nobody knows for whom it existed.
    emit(workgroup, 'device:removed', { deviceId: id });
    this.#forget(id);
    await bus.publish(deviceRemoved, { workgroup, id });
  }

  /**
   * Throws `device.not_found`, and `device_group.decides` for a bound caller (`scope`) whose change would decide which
   * device group the device belongs to.
   */
  async setSetting(
    of: { workgroup: string; id: string; scope: DeviceScope },
    key: string,
    value: unknown,
    by: By,
  ): Promise<Device> {
    const { workgroup, id, scope } = of;
    const { store, deviceGroups } = this.#options;
    const row = await this.#row(workgroup, id);
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
    this.#record(row, 'setting', by, { attribute: key, ...(key === 'info' ? changeOf(row, value) : {}) });
    const changed = await this.#row(workgroup, id);
    if (key === 'info') deviceGroups.duringChange(changed, () => this.#register(changed));
    return visibleDevice(scope, this.#device(changed));
  }

  /** Takes what a device says it captures. */
  async setMeta(workgroup: string, id: string, meta: DeviceMeta): Promise<void> {
    if (await this.#options.store.setMeta(workgroup, id, meta)) {
      this.#options.emit(workgroup, 'device:metaChange', { deviceId: id, meta });
    }
    void this.#options.bus.publish(metaKept, { device: id, meta });
  }

  /** The newest values of all sources of the device: the stored ones, and those that came since. */
  async latest(caller: Caller, id: string): Promise<LatestSource[]> {
    const stored = await this.#options.latest(caller, id);
    return visibleSources(caller.devices, id, this.#options.watches.merge(id, stored));
  }

  certificate(id: string): CertificateInfo | null {
    const row = this.#options.certificates.newest(id);
    return row && certificateOf(row);
  }

  /** Revokes the certificate of the device, which ends its connection at once. */
  async revoke(workgroup: string, id: string, by: By): Promise<CertificateInfo | null> {
    const row = await this.#row(workgroup, id);
    await this.#options.certificates.revoke(id);
    await this.#options.bus.publish(certificateChanged, { id });
    this.#record(row, 'revoke', by);
    return this.certificate(id);
  }

  /**
   * A one-time token for a new agent pack (`all`) or for its keys alone, and the command that uses it; with `arch`, the device is
   * of that kind from now on.
   */
  async offerInstall(
    workgroup: string,
    id: string,
    offer: { part: PackPart; arch?: Arch | undefined },
    by: By,
  ): Promise<InstallOffer> {
    const { enrolment, packs, store } = this.#options;
    const before = await this.#row(workgroup, id);
    const arch = offer.arch ?? before.arch;
    const fingerprint = await packs.fingerprint(arch);
    if (arch !== before.arch) await store.setArch(workgroup, id, arch);
    const { token, expiresAt } = await enrolment.offer(id);
    this.#record(before, 'reissue', by, { attribute: 'certificate', newValue: PACK_NAMES[offer.part] });
    const { publicUrl } = this.#options.addresses();
    const command =
      offer.part === 'keys' ? keysCommand(publicUrl, token) : installCommand(publicUrl, token, fingerprint);
    return { deviceId: id, command, expiresAt };
  }

  /** A new pack with a new certificate; the earlier certificate is revoked. */
  async pack(workgroup: string, id: string, by: By, part: PackPart = 'all'): Promise<PackFile> {
    const { packs, certificates, bus } = this.#options;
    const row = await this.#row(workgroup, id);
    // Before the old certificate goes: a pack that cannot be made must not cut the device off.
    await packs.requireBuilt();
    const { certPem, keyPem } = await certificates.issue(id, workgroup);
    await bus.publish(certificateChanged, { id });
    this.#record(row, 'pack', by, { attribute: 'certificate', newValue: PACK_NAMES[part] });
    this.#options.emit(workgroup, 'device:changed', this.#summary(registered(row)));
    const { mqtt } = this.#options.addresses();
    const identity = { caPem: certificates.caPem, certPem, keyPem, mqtt };
    if (part === 'keys') {
      return { stream: await packs.keys(identity), fileName: `${PRODUCT}-keys-${id}.tar.gz` };
    }
    const stream = await packs.make({ arch: row.arch, ...identity });
    return { stream, fileName: `${PRODUCT}-agent-${id}.tar.gz` };
  }

  /** The pack of the device that a one-time token was made for; uses it up. Throws `pack.token_invalid`. */
  async packForToken(token: string, part: PackPart, address: string): Promise<PackFile> {
    const { enrolment, registry, packs } = this.#options;
    await packs.requireBuilt();
    const id = await enrolment.redeem(token);
    const device = await registry.find(id);
    if (!device) throw new AppError('pack.token_invalid');
    return this.pack(device.workgroup, id, { email: null, address }, part);
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

  agentVersion(): Promise<string> {
    return this.#options.packs.version();
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

  #summary({ id, name, ced, createdAt }: RegisteredDevice): DeviceSummary {
    const notAfter = this.#options.certificates.newest(id)?.notAfter.getTime() ?? null;
    return { id, name, ced, createdAt, notAfter, facts: this.#options.health.of(id) };
  }

  #device(row: DeviceRow): Device {
    const { arch, meta, settings } = row;
    const summary = this.#summary(registered(row));
    return { ...summary, arch, meta, settings, gnat: summary.facts.gnat };
  }

  #record({ workgroup, id }: DeviceRow, action: string, by: By, change: Change = {}): void {
    this.#options.audit.record({
      workgroup,
      device: id,
      at: Date.now(),
      action,
      controller: 'device',
      entity: 'device',
      by: by?.email ?? null,
      ...(by ? { address: by.address } : {}),
      ...change,
    });
  }
}

/** The metadata before and after; other settings may hold what the audit log must not. */
const changeOf = ({ settings }: DeviceRow, info: unknown): Change => ({
  oldValue: JSON.stringify(infoOf(settings.info)),
  newValue: JSON.stringify(infoOf(info)),
});

/** The first of some fields whose value is another one now; null where they are as they were. */
function changedField(
  before: Record<string, string>,
  after: Record<string, string>,
  fields: ReadonlySet<string>,
): string | null {
  return [...fields].find((field) => before[field] !== after[field]) ?? null;
}

const registered = ({ id, workgroup, name, ced, createdAt, settings }: DeviceRow): RegisteredDevice => ({
  id,
  workgroup,
  name,
  ced,
  createdAt: createdAt.getTime(),
  info: infoOf(settings.info),
});

function certificateOf(row: CertificateRow): CertificateInfo {
  const { serial, subject, notBefore, notAfter, fingerprintSha256, revokedAt } = row;
  return {
    serial,
    subject,
    notBefore: notBefore.getTime(),
    notAfter: notAfter.getTime(),
    fingerprintSha256,
    revokedAt: revokedAt?.getTime() ?? null,
  };
}

/**
 * The token travels in a header that is read from standard input, so it stands in no log of addresses and in no list of
 * processes. Nothing of the pack runs before its checksums are those that stand in the command.
 */
function installCommand(publicUrl: string, token: string, fingerprint: string): string {
  const folder = `${PRODUCT}-agent`;
  const fetch = fetchCommand(publicUrl, token, 'agent/pack');
  const check = `(cd ${folder} && echo '${fingerprint}  ${SUMS}' | sha256sum -c && sha256sum -c ${SUMS}) >/dev/null`;
  return `${fetch} | tar -xz && ${check} && $(command -v sudo) sh ${folder}/install.sh`;
}

/** New keys in the place of the old ones; a running agent takes them up at its next attempt to connect. */
const keysCommand = (publicUrl: string, token: string): string =>
  `${fetchCommand(publicUrl, token, 'agent/pack?part=keys')} | $(command -v sudo) tar -xz --no-same-owner -C /`;

const fetchCommand = (publicUrl: string, token: string, path: string): string =>
  `echo 'Authorization: Bearer ${token}' | curl -fsS -H @- ${publicUrl}${API_PREFIX}/${path}`;
