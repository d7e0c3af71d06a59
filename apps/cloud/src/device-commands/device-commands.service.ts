import type {
  CommandOutcome,
  DeviceCommand,
  NewDeviceCommand,
} from '@albedo/contract/device-commands/device-commands.schema';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { DeviceScope } from '../access/device-scope.ts';
import type { Manager } from '../access/manager.ts';
import type { AccessControl } from '../access-control/access-control.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Requests } from '../live-feeds/live-feeds.service.ts';
import type { LongActionKind, LongActions } from '../long-actions/long-actions.service.ts';
import { commandLine } from './command-line.ts';
import type { DeviceCommandsStore, Outcome } from './device-commands.store.ts';

/** Devices that one run asks at a time. */
const SIDE_BY_SIDE = 25;
/** Characters of each output that are kept. */
const KEPT = 20_000;

export interface DeviceCommandsOptions {
  store: DeviceCommandsStore;
  accessControl: Pick<AccessControl, 'chooser'>;
  requests: Requests;
  longActions: LongActions;
  audit: Audit;
  isOnline: (device: string) => boolean;
}

const input = z.object({
  workgroup: z.string(),
  name: z.string(),
  line: z.string(),
  timeoutS: z.number(),
  devices: z.array(z.string()),
});
type Input = z.output<typeof input>;
type Run = Parameters<LongActionKind<Input>['run']>[0];

/** Commands that people save, and run on any number of devices. */
export class DeviceCommands {
  readonly #options: DeviceCommandsOptions;

  constructor(options: DeviceCommandsOptions) {
    this.#options = options;
  }

  readonly kind: LongActionKind<Input> = {
    kind: 'command-run',
    input,
    canCancel: true,
    run: (run) => this.#run(run),
  };

  /** Those that the caller may read; of one device, or of all. */
  async list({ workgroup, session, devices }: Caller, device?: string): Promise<DeviceCommand[]> {
    const { store, accessControl } = this.#options;
    const mayRead = await accessControl.chooser(session, workgroup, 'DeviceCommand', 'read');
    return (await store.list(workgroup)).filter(
      (one) =>
        (one.device === null || (device === undefined ? devices.has(one.device) : one.device === device)) &&
        (mayRead?.(one._id) ?? true),
    );
  }

  /** Throws `device_command.name_taken`, and `device_group.bound` for one of every device by a member of a group. */
  async add(
    at: { workgroup: string; device: string },
    command: NewDeviceCommand,
    by: Manager,
    scope: DeviceScope,
  ): Promise<DeviceCommand> {
    const { store } = this.#options;
    demandReach(command.isForAll, scope);
    const saved = await store.add(at.workgroup, command.isForAll ? null : at.device, command);
    if (!saved) throw new AppError('device_command.name_taken', { name: command.name });
    this.#record(at.workgroup, saved, 'create', by, { newValue: saved.command });
    return saved;
  }

  /** Throws as `add` does, and `device_command.not_found`. */
  async update(
    at: { workgroup: string; device: string; command: string },
    command: NewDeviceCommand,
    by: Manager,
    scope: DeviceScope,
  ): Promise<DeviceCommand> {
    const before = await this.#find(at.workgroup, at.command, at.device);
    demandReach(before.device === null || command.isForAll, scope);
    const device = command.isForAll ? null : at.device;
    const saved = await this.#options.store.update(at.workgroup, at.command, device, command);
    if (saved === null) throw new AppError('device_command.name_taken', { name: command.name });
    if (!saved) throw new AppError('device_command.not_found');
    this.#record(at.workgroup, saved, 'update', by, { oldValue: before.command, newValue: saved.command });
    return saved;
  }

  /** What a backup of a device keeps. */
  async ofDevice(workgroup: string, device: string): Promise<NewDeviceCommand[]> {
    const own = (await this.#options.store.list(workgroup)).filter((one) => one.device === device);
    return own.map(({ _id, device: _device, ...command }) => ({ ...command, isForAll: false }));
  }

  /** A saved command with the line that it is with these values. Throws as `run` does. */
  async filled(
    workgroup: string,
    id: string,
    values: Record<string, string>,
  ): Promise<DeviceCommand & { line: string }> {
    const command = await this.#options.store.get(workgroup, id);
    if (!command) throw new AppError('device_command.not_found');
    return { ...command, line: commandLine(command.command, command.parameters, values) };
  }

  /** Throws `device_command.not_found`. */
  async remove(
    at: { workgroup: string; device: string; command: string },
    by: Manager,
    scope: DeviceScope,
  ): Promise<void> {
    const before = await this.#find(at.workgroup, at.command, at.device);
    demandReach(before.device === null, scope);
    await this.#options.store.remove(at.workgroup, at.command);
    this.#record(at.workgroup, before, 'delete', by, { oldValue: before.command });
  }

  /** Throws `device_command.not_found`, `device.not_found`, and what values are refused with. */
  async run(
    at: { workgroup: string; command: string },
    asked: { devices: string[]; values: Record<string, string> },
    by: Manager,
    scope: DeviceScope,
  ): Promise<LongAction> {
    const { store, longActions } = this.#options;
    const command = await store.get(at.workgroup, at.command);
    const devices = [...new Set(asked.devices)];
    if (!command) throw new AppError('device_command.not_found');
    const isForeign = (id: string) => !scope.has(id) || (command.device !== null && command.device !== id);
    if (devices.some(isForeign)) throw new AppError('device.not_found');
    const line = commandLine(command.command, command.parameters, asked.values);
    const { name, timeoutS } = command;
    return longActions.begin(this.kind, {
      input: { workgroup: at.workgroup, name, line, timeoutS, devices },
      about: devices.length === 1 ? name : `${name} (${devices.length})`,
      workgroup: at.workgroup,
      by,
    });
  }

  /** What came of a run on the devices that the scope has. */
  async outcomes(workgroup: string, run: string, scope: DeviceScope): Promise<CommandOutcome[]> {
    return (await this.#options.store.outcomes(workgroup, run)).filter(({ deviceId }) => scope.has(deviceId));
  }

  async #run(run: Run): Promise<object> {
    const { store } = this.#options;
    const { workgroup, devices } = run.input;
    await store.begin(workgroup, run.id, devices);
    const waiting = (await store.outcomes(workgroup, run.id))
      .filter(({ state }) => state === 'waiting')
      .map(({ deviceId }) => deviceId);
    let over = devices.length - waiting.length;
    const work = async () => {
      for (let device = waiting.pop(); device !== undefined; device = waiting.pop()) {
        run.signal.throwIfAborted();
        await this.#runOn(device, run);
        run.progress(++over / devices.length);
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    const all = await store.outcomes(workgroup, run.id);
    return { result: { devices: all.length, done: all.filter(({ state }) => state === 'done').length } };
  }

  async #runOn(device: string, { id, input: { workgroup, line, timeoutS }, by, signal }: Run): Promise<void> {
    const { store, requests, audit, isOnline } = this.#options;
    if (!isOnline(device)) return store.set(id, device, { state: 'offline' });
    await store.set(id, device, { state: 'running' });
    await audit.settled(() =>
      audit.record({
        workgroup,
        device,
        at: Date.now(),
        controller: 'device_command',
        entity: 'device',
        action: 'run',
        newValue: line,
        by: by.email,
        address: by.address,
      }),
    );
    const beganAt = performance.now();
    const took = () => Math.round(performance.now() - beganAt);
    try {
      const reply = await requests.command(device, { cmd: line, timeoutS, disown: false }, signal);
      const isDone = reply.returnCode === 0 && reply.error === null && !reply.killed;
      await store.set(id, device, {
        state: isDone ? 'done' : 'failed',
        stdout: kept(reply.stdout),
        stderr: kept(reply.stderr),
        stdoutFile: reply.stdoutFile ?? null,
        stderrFile: reply.stderrFile ?? null,
        returnCode: reply.returnCode,
        error: reply.error === null ? null : kept(reply.error),
        tookMs: took(),
      });
    } catch (error) {
      const outcome: Partial<Outcome> = signal.aborted
        ? { state: 'unknown' }
        : {
            state: 'failed',
            error: error instanceof AppError ? error.message : 'The server failed.',
            tookMs: took(),
          };
      await store.set(id, device, outcome);
      if (signal.aborted) throw error;
    }
  }

  async #find(workgroup: string, id: string, device: string): Promise<DeviceCommand> {
    const found = await this.#options.store.get(workgroup, id);
    if (!found || (found.device !== null && found.device !== device))
      throw new AppError('device_command.not_found');
    return found;
  }

  #record(
    workgroup: string,
    { _id, name, device }: DeviceCommand,
    action: string,
    by: Manager,
    change: { oldValue?: string; newValue?: string },
  ): void {
    const entry = {
      workgroup,
      at: Date.now(),
      controller: 'device_command',
      entity: _id,
      action,
      attribute: name,
    };
    const of = device === null ? {} : { device };
    this.#options.audit.record({ ...entry, ...of, ...change, by: by.email, address: by.address });
  }
}

/** A command of every device concerns the workgroup as a whole. */
function demandReach(isForAll: boolean, scope: DeviceScope): void {
  if (isForAll && !scope.isAll) throw new AppError('device_command.not_found');
}

/** Without what a database cannot keep, and not too long. */
function kept(text: string): string {
  const shown = text.replaceAll('\0', '�');
  return shown.length <= KEPT
    ? shown
    : `${shown.slice(0, KEPT)}\n[cut: ${shown.length - KEPT} more characters]\n`;
}
