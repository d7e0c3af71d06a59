import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  BACKUP_LIMITS,
  type BackupPlan,
  type BackupReason,
  type BackupRestored,
  type DeviceBackup,
  type DeviceBackupList,
} from '@albedo/contract/device-backups/device-backups.schema';
import type { Logger } from 'pino';
import type { Actor } from '../access/actor.ts';
import type { DeviceScope } from '../access/device-scope.ts';
import type { Manager } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { DeviceCommands } from '../device-commands/device-commands.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { FileStore } from '../files/files.store.ts';
import type { Health } from '../health/health.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { Shells } from '../shells/shells.service.ts';
import type { Twins } from '../twins/twins.service.ts';
import { type BackupRow, backupOf, type DeviceBackupsStore } from './device-backups.store.ts';
import { deviceRestored } from './device-backups.topics.ts';

export interface DeviceBackupsOptions {
  store: DeviceBackupsStore;
  files: FileStore;
  /** What is stored is sealed: a configuration has passwords of machines in it. */
  seal: Pick<Seal, 'closeBytes' | 'openBytes'>;
  deviceAsks: DeviceAsks;
  deviceCommands: DeviceCommands;
  shells: Pick<Shells, 'demandOpen'>;
  twins: Twins;
  registry: DeviceRegistry;
  health: Health;
  audit: Audit;
  bus: Bus;
  log: Logger;
}

export interface BackupOn {
  workgroup: string;
  device: string;
  /** Null where its plan says so. */
  by: Manager | null;
  signal: AbortSignal;
}

/** Backups of devices in the cloud: made, kept, and put back on the same device or on another one. */
export class DeviceBackups {
  readonly #options: DeviceBackupsOptions;

  constructor(options: DeviceBackupsOptions) {
    this.#options = options;
  }

  /** Throws `device.not_found` for one that the caller does not see. */
  async list(workgroup: string, device: string, scope: DeviceScope): Promise<DeviceBackupList> {
    const { store } = this.#options;
    const isSeen = (id: string) => scope.isAll || scope.has(id);
    if (!isSeen(device)) throw new AppError('device.not_found');
    const [rows, plan, devices] = await Promise.all([
      store.list(workgroup, device),
      store.plan(device),
      store.devices(workgroup),
    ]);
    return { backups: rows.map(backupOf), plan, devices: devices.filter(({ id }) => isSeen(id)) };
  }

  async setPlan(workgroup: string, device: string, plan: BackupPlan, by: Manager): Promise<BackupPlan> {
    await this.#options.store.setPlan(device, plan);
    this.#record({ workgroup, device, by }, 'plan', plan.every);
    return plan;
  }

  /** Throws what a device refuses with, and `device_backup.damaged`. */
  async create(on: Omit<BackupOn, 'by'> & { by: Actor | null }, reason: BackupReason): Promise<DeviceBackup> {
    const { store, files, seal, deviceAsks, deviceCommands, registry } = this.#options;
    const { workgroup, device, by, signal } = on;
    const parts: Uint8Array[] = [];
    let got = 0;
    const told = await deviceAsks.ask(
      device,
      'backup.read',
      {},
      {
        signal,
        onBytes: (part) => {
          got += part.length;
          if (got > BACKUP_LIMITS.bytes) throw new AppError('device_backup.damaged');
          parts.push(part);
        },
      },
    );
    const bytes = Buffer.concat(parts);
    if (bytes.length !== told.bytes || hashOf(bytes) !== told.hash)
      throw new AppError('device_backup.damaged');
    const commands = await deviceCommands.ofDevice(workgroup, device);
    const fileKey = `device-backups/${randomUUID()}`;
    await files.put(fileKey, Readable.from(seal.closeBytes(bytes, fileKey)));
    const row = await store
      .add({
        ...{ workgroup, deviceId: device, deviceName: registry.known(device)?.name ?? device, reason },
        ...{ bytes: bytes.length, hash: told.hash, files: told.files, commands, fileKey },
        by: by?.email ?? null,
      })
      .catch(async (error: Error) => {
        await files.remove(fileKey);
        throw error;
      });
    this.#record(on, 'create', row.id);
    await this.#tidy(row);
    return backupOf(row);
  }

  /** The file, and its name. Throws `device_backup.not_found`. */
  async file(on: BackupOn, id: string, scope: DeviceScope): Promise<{ name: string; bytes: Buffer }> {
    const row = await this.#demand(on.workgroup, id, scope, on.device);
    const bytes = await this.#bytesOf(row);
    this.#record(on, 'get', id);
    const name = row.deviceName.replace(/[^\w.-]+/g, '-');
    return { name: `${name}-${row.at.toISOString().slice(0, 16).replaceAll(':', '')}.json.gz`, bytes };
  }

  /** What is there is backed up before. Throws `remote_access.off`, `device_backup.not_found` and what a device refuses with. */
  async restore(on: BackupOn & { by: Manager }, id: string, scope: DeviceScope): Promise<BackupRestored> {
    const { shells, deviceAsks, twins, bus } = this.#options;
    const { workgroup, device, by, signal } = on;
    await shells.demandOpen(workgroup);
    const row = await this.#demand(workgroup, id, scope);
    const bytes = await this.#bytesOf(row);
    await this.create(on, 'before');
    this.#record(on, 'restore', id);
    const asked = deviceAsks.open(
      device,
      'backup.restore',
      { hash: row.hash, size: bytes.length },
      { signal },
    );
    const sending = asked.write(bytes).then(() => asked.end());
    // What the device refuses ends the sending; its own words count.
    sending.catch((error: Error) => asked.cancel(error));
    const { files, missing } = await asked.result;
    const config = await deviceAsks.ask(device, 'config.read', {}, { signal });
    await twins.applied(device, config, by.email);
    const commands = await this.#restoreCommands(row, on, scope);
    await bus.publish(deviceRestored, { workgroup, device, by, missing });
    return { files, commands, plugins: missing };
  }

  /** Throws `device_backup.not_found`. */
  async remove(on: BackupOn, id: string, scope: DeviceScope): Promise<void> {
    await this.#demand(on.workgroup, id, scope, on.device);
    await this.#drop(on.workgroup, id);
    this.#record(on, 'delete', id);
  }

  /** Makes those that a plan asks for, of the devices that are there; the others have their turn when they are back. */
  async makeDue(signal: AbortSignal): Promise<void> {
    const { store, health, log } = this.#options;
    for (const { workgroup, deviceId: device } of await store.due()) {
      if (signal.aborted) return;
      if (!health.of(device).online) continue;
      try {
        await this.create({ workgroup, device, by: null, signal }, 'planned');
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        log.warn({ device, why: error.message }, 'a backup of a device was not made');
      }
    }
  }

  /** The workgroup goes, and its files with it. */
  async forgetWorkgroup(workgroup: string): Promise<void> {
    for (const key of await this.#options.store.keysOf(workgroup)) await this.#options.files.remove(key);
  }

  /** Commands whose name is free; one that is there stays as it is. */
  async #restoreCommands(
    row: BackupRow,
    { workgroup, device, by }: BackupOn & { by: Manager },
    scope: DeviceScope,
  ): Promise<number> {
    const { deviceCommands } = this.#options;
    let added = 0;
    for (const command of row.commands) {
      try {
        await deviceCommands.add({ workgroup, device }, command, by, scope);
        added++;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
    return added;
  }

  async #demand(workgroup: string, id: string, scope: DeviceScope, device?: string): Promise<BackupRow> {
    const row = await this.#options.store.get(workgroup, id);
    const isSeen = row && (scope.isAll || scope.has(row.deviceId));
    if (!isSeen || (device !== undefined && row.deviceId !== device)) {
      throw new AppError('device_backup.not_found');
    }
    return row;
  }

  async #bytesOf({ fileKey, hash }: BackupRow): Promise<Buffer> {
    const stored = await this.#options.files.get(fileKey);
    if (!stored) throw new AppError('device_backup.not_found');
    const bytes = await buffer(stored);
    // From before backups were sealed.
    if (hashOf(bytes) === hash) return bytes;
    const opened = this.#opened(bytes, fileKey);
    if (hashOf(opened) !== hash) throw new AppError('device_backup.damaged');
    return opened;
  }

  #opened(sealed: Buffer, fileKey: string): Buffer {
    try {
      return this.#options.seal.openBytes(sealed, fileKey);
    } catch {
      // Changed, cut off, or the file of another backup.
      throw new AppError('device_backup.damaged');
    }
  }

  async #tidy({ workgroup, deviceId, reason }: BackupRow): Promise<void> {
    const { store } = this.#options;
    const old = await store.beyond(workgroup, deviceId, reason, BACKUP_LIMITS.kept[reason]);
    for (const { id } of old) await this.#drop(workgroup, id);
  }

  async #drop(workgroup: string, id: string): Promise<void> {
    const key = await this.#options.store.remove(workgroup, id);
    if (key) await this.#options.files.remove(key);
  }

  #record(
    { workgroup, device, by }: Pick<BackupOn, 'workgroup' | 'device'> & { by: Actor | null },
    action: string,
    newValue: string,
  ): void {
    const entry = {
      workgroup,
      device,
      at: Date.now(),
      controller: 'device_backup',
      entity: 'backup',
      action,
    };
    this.#options.audit.record({
      ...{ ...entry, attribute: 'backup', newValue, by: by?.email ?? null },
      ...(by ? { address: by.address } : {}),
    });
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
