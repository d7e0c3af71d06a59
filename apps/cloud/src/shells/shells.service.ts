import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import {
  type RemoteAccess,
  SHELL_LIMITS,
  type ShellEnd,
  type ShellFactor,
  type ShellRecording,
  type ShellRule,
  type ShellSession,
} from '@albedo/contract/shells/shells.schema';
import type { Manager } from '../access/manager.ts';
import type { Approvals } from '../approvals/approvals.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { StepUp } from '../step-up/step-up.service.ts';
import { Recorder } from './recorder.ts';
import type { ShellsStore } from './shells.store.ts';
import { remoteAccessEnded } from './shells.topics.ts';

/** How often shells that nobody attached to are looked for, ms. */
const SWEEP_MS = 30_000;
/** Bytes that a browser has not shown yet; more wait on the device. */
const UNSHOWN = 256 * 1024;

export interface ShellsOptions {
  store: ShellsStore;
  approvals: Pick<Approvals, 'demand' | 'take'>;
  stepUp: Pick<StepUp, 'takeConfirmation'>;
  deviceAsks: DeviceAsks;
  audit: Audit;
  bus: Bus;
  isOnline: (device: string) => boolean;
  tell: (workgroup: string, access: RemoteAccess) => void;
}

/** Whether a confirmation is what the rule asks for. */
const isEnough = (factor: ShellFactor, given: SessionClaims['confirmedWith']): boolean =>
  factor === 'any' ||
  given === 'passkey' ||
  (factor === 'secondFactor' && (given === 'totp' || given === 'sso'));

/** Who does what, from where. */
export interface ShellBy {
  workgroup: string;
  deviceId: string;
  session: SessionClaims;
  address: string;
}

/** An open terminal, for the socket that shows it. */
export interface OpenShell {
  workgroup: string;
  userId: string;
  keys(text: string): void;
  size(cols: number, rows: number): void;
  shown(bytes: number): void;
  end(why: ShellEnd): void;
}

/** Remote shells: who may, for how long, and what was on the screen. */
export class Shells {
  readonly #options: ShellsOptions;
  readonly #open = new Map<string, OpenShell>();
  #sweep: NodeJS.Timeout | null = null;

  constructor(options: ShellsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#sweep = setInterval(() => void this.endStale().catch(() => {}), SWEEP_MS);
  }

  stop(): void {
    if (this.#sweep) clearInterval(this.#sweep);
  }

  /** Ends those that were opened and that nobody attached to, also by a process that is gone. */
  async endStale(): Promise<void> {
    const { store, audit } = this.#options;
    for (const { id, workgroup, deviceId, end } of await store.endStale()) {
      const entry = { workgroup, device: deviceId, at: Date.now(), controller: 'remote_shell', entity: id };
      audit.record({ ...entry, action: 'close', newValue: end, by: null });
    }
  }

  access(workgroup: string): Promise<RemoteAccess> {
    return this.#options.store.access(workgroup);
  }

  /** Throws `remote_access.off`. */
  async demandOpen(workgroup: string): Promise<void> {
    if (!(await this.access(workgroup)).isAllowed) throw new AppError('remote_access.off');
  }

  /** Switching it off ends what is open, in all processes. Throws `remote_access.owners_only`. */
  async setAccess(workgroup: string, isAllowed: boolean, by: Manager): Promise<RemoteAccess> {
    const { store, audit, bus, tell } = this.#options;
    if (by.scope.role !== 'owner') throw new AppError('remote_access.owners_only');
    const access = await store.setAccess(workgroup, isAllowed, by.email);
    const entry = {
      workgroup,
      at: Date.now(),
      controller: 'remote_access',
      entity: workgroup,
      action: 'update',
    };
    const newValue = isAllowed ? 'allowed' : 'forbidden';
    audit.record({ ...entry, newValue, by: by.email, address: by.address });
    if (!isAllowed) await bus.publish(remoteAccessEnded, { workgroup });
    tell(workgroup, access);
    return access;
  }

  rule(workgroup: string): Promise<ShellRule> {
    return this.#options.store.rule(workgroup);
  }

  /** Throws `shell.owners_only`. */
  async setRule(workgroup: string, factor: ShellFactor, by: Manager): Promise<ShellRule> {
    const { store, audit } = this.#options;
    if (by.scope.role !== 'owner') throw new AppError('shell.owners_only');
    return store.aloneWithRule(workgroup, async () => {
      const { factor: before } = await store.rule(workgroup);
      const rule = await store.setRule(workgroup, factor, by.email);
      audit.record({
        ...{ workgroup, at: Date.now(), controller: 'shell_rule', entity: workgroup, action: 'update' },
        ...{ oldValue: before, newValue: factor, by: by.email, address: by.address },
      });
      return rule;
    });
  }

  /** Ends what is open in the workgroup, in this process. */
  endAll(workgroup: string): void {
    for (const shell of this.#open.values()) if (shell.workgroup === workgroup) shell.end('switched_off');
  }

  /**
   * Allows one shell: each takes a confirmation of its own, by what the workgroup asks for. It is in the audit log, durably, when this resolves. Throws
   * `remote_access.off`, `approval.needed`, `session.not_fresh`, `shell.second_factor_needed`, `shell.passkey_needed`,
   * `device.offline`.
   */
  async open(by: ShellBy): Promise<{ id: string; endsAt: number }> {
    const { store, approvals, audit, isOnline } = this.#options;
    const { workgroup, deviceId, session, address } = by;
    await this.demandOpen(workgroup);
    if (!isOnline(deviceId)) throw new AppError('device.offline');
    const way = { way: 'shell', target: null } as const;
    await approvals.demand(by, way);
    const { factor } = await store.rule(workgroup);
    if (!isEnough(factor, session.confirmedWith)) {
      throw new AppError(factor === 'passkey' ? 'shell.passkey_needed' : 'shell.second_factor_needed');
    }
    // A sign-in opens no terminal, however short ago it was.
    if (session.confirmedWith === undefined) throw new AppError('session.not_fresh');
    await this.#options.stepUp.takeConfirmation(session);
    await approvals.take(by, way);
    const row = await store.open({ workgroup, deviceId, userId: session._id, by: session.email });
    await audit.settled(() =>
      audit.record({
        workgroup,
        device: deviceId,
        at: row.openedAt,
        controller: 'remote_shell',
        entity: row.id,
        action: 'open',
        by: session.email,
        address,
      }),
    );
    return { id: row.id, endsAt: row.openedAt + SHELL_LIMITS.sessionMs };
  }

  /**
   * Connects to a shell that was opened and runs it to its end. `onOutput` is given what is on the screen. Throws
   * `shell.over`, `remote_access.off`, and what a device refuses with.
   */
  async run(
    by: ShellBy & { shellId: string; cols: number; rows: number; signal: AbortSignal },
    { onReady, onOutput }: { onReady: () => void; onOutput: (bytes: Uint8Array) => void },
  ): Promise<{ end: ShellEnd; exitCode: number | null }> {
    const { store, deviceAsks, audit } = this.#options;
    const { workgroup, deviceId, session, shellId, cols, rows, signal } = by;
    const of = { workgroup, deviceId, userId: session._id };
    await this.demandOpen(workgroup);
    if (!(await store.start(of, shellId, new Date(Date.now() - SHELL_LIMITS.attachMs))))
      throw new AppError('shell.over');

    let end: ShellEnd | null = null;
    const ending = new AbortController();
    const stop = (why: ShellEnd) => {
      end ??= why;
      ending.abort(new Ended());
    };
    const recorder = new Recorder({
      keep: (parts, bytes) => store.keep(shellId, parts, bytes),
      onFailed: () => stop('record'),
    });
    recorder.size(cols, rows);
    const left = () => stop('left');
    signal.addEventListener('abort', left, { once: true });
    const limit = setTimeout(() => stop('time'), SHELL_LIMITS.sessionMs);
    let idle = setTimeout(() => stop('idle'), SHELL_LIMITS.idleMs);
    const room = new Room(UNSHOWN);
    const asked = deviceAsks.open(
      deviceId,
      'shell',
      { cols, rows },
      {
        signal: ending.signal,
        limitMs: SHELL_LIMITS.sessionMs + SHELL_LIMITS.attachMs,
        onBytes: async (bytes) => {
          recorder.output(bytes);
          onOutput(bytes);
          await room.taken(bytes.length, ending.signal);
        },
      },
    );
    this.#open.set(shellId, {
      workgroup,
      userId: session._id,
      keys: (text) => {
        clearTimeout(idle);
        idle = setTimeout(() => stop('idle'), SHELL_LIMITS.idleMs);
        asked.write(Buffer.from(text)).catch(() => {});
      },
      size: (toCols, toRows) => {
        recorder.size(toCols, toRows);
        void asked.tell({ cols: toCols, rows: toRows });
      },
      shown: (bytes) => room.free(bytes),
      end: (why) => {
        if (why === 'switched_off') void asked.tell({ isCutOff: true }).catch(() => {});
        stop(why);
      },
    });
    let exitCode: number | null = null;
    onReady();
    try {
      if (signal.aborted) left();
      ({ exitCode } = await asked.result);
      end ??= 'exit';
    } catch (error) {
      if (!(error instanceof Ended)) {
        end = 'device';
        throw error;
      }
    } finally {
      clearTimeout(limit);
      clearTimeout(idle);
      signal.removeEventListener('abort', left);
      this.#open.delete(shellId);
      await recorder.flush();
      await store.end(shellId, end ?? 'device');
      const entry = {
        workgroup,
        device: deviceId,
        at: Date.now(),
        controller: 'remote_shell',
        entity: shellId,
      };
      audit.record({ ...entry, action: 'close', newValue: end, by: session.email, address: by.address });
    }
    return { end: end ?? 'exit', exitCode };
  }

  /** The open shell of this user in this process. Throws `shell.over`. */
  find(shellId: string, { _id }: SessionClaims): OpenShell {
    const shell = this.#open.get(shellId);
    if (!shell || shell.userId !== _id) throw new AppError('shell.over');
    return shell;
  }

  list(workgroup: string, deviceId: string): Promise<ShellSession[]> {
    return this.#options.store.list(workgroup, deviceId);
  }

  /** Looking at a recording is in the audit log too. Throws `shell.not_found`. */
  async recording({ workgroup, deviceId, session, address }: ShellBy, id: string): Promise<ShellRecording> {
    const recording = await this.#options.store.recording(workgroup, deviceId, id);
    if (!recording) throw new AppError('shell.not_found');
    const entry = { workgroup, device: deviceId, at: Date.now(), controller: 'remote_shell', entity: id };
    this.#options.audit.record({ ...entry, action: 'replay', by: session.email, address });
    return recording;
  }
}

/** The end of a shell that the cloud decided on. */
class Ended extends Error {}

/** Bytes that a reader has not taken yet: whoever brings more waits. */
class Room {
  readonly #limit: number;
  #used = 0;
  #free = () => {};

  constructor(limit: number) {
    this.#limit = limit;
  }

  async taken(bytes: number, signal: AbortSignal): Promise<void> {
    this.#used += bytes;
    while (this.#used > this.#limit && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#free = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  free(bytes: number): void {
    this.#used = Math.max(0, this.#used - bytes);
    this.#free();
  }
}
