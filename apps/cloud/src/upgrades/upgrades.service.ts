import {
  type AgentBuild,
  type SignedManifest,
  TRIAL_MINUTES,
  type UpgradeManifest,
  type UpgradeReadiness,
  type UpgradeStep,
} from '@albedo/contract/upgrades/upgrades.schema';
import type { Arch } from '@albedo/contract/workgroups/archs';
import type { Actor } from '../access/actor.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Health } from '../health/health.service.ts';
import type { UpgradeFile } from '../packs/packs.service.ts';

/** The oldest Node that runs the agent. */
const NODE = 24;
/** A clock that is some days wrong does not keep a device from being upgraded, ms. */
const MANIFEST_LIFE_MS = 7 * 86_400_000;
/** After the time of the trial a device has this long to come back with the version before, ms. */
const RETURN_MS = 3 * 60_000;
const LOOK_MS = 250;

export interface UpgradesOptions {
  deviceAsks: DeviceAsks;
  health: Pick<Health, 'of'>;
  audit: Audit;
  packs: {
    version(): Promise<string>;
    build(): Promise<AgentBuild>;
    upgradeFiles(arch: Arch): Promise<UpgradeFile[]>;
  };
  sign: (text: string) => Promise<Omit<SignedManifest, 'manifest'>>;
  archOf: (workgroup: string, device: string) => Promise<Arch>;
  trialMinutes?: number;
}

export interface UpgradeOrder {
  /** The same in every attempt at one upgrade. */
  id: string;
  workgroup: string;
  device: string;
  by: Actor;
}

/**
 * Upgrades of agents. A new version stays only when it has reported in here and was told so; a device that nobody tells
 * goes back by itself, so an attempt that is cut off in any place may be begun again under the same id.
 */
export class Upgrades {
  readonly #options: UpgradesOptions;

  constructor(options: UpgradesOptions) {
    this.#options = options;
  }

  build(): Promise<AgentBuild> {
    return this.#options.packs.build();
  }

  /** The version that devices are upgraded to. */
  version(): Promise<string> {
    return this.#options.packs.version();
  }

  readiness(device: string, signal: AbortSignal): Promise<UpgradeReadiness> {
    return this.#options.deviceAsks.ask(device, 'upgrade.check', {}, { signal });
  }

  /**
   * From which version to which. Throws `device.unable`, and `upgrade.check_failed` with the first check that is not met, but for a
   * device that has the version already.
   */
  async preview(device: string, signal: AbortSignal): Promise<{ before: string; after: string }> {
    const [after, ready] = await Promise.all([this.version(), this.readiness(device, signal)]);
    if (ready.version !== after) demandMet(ready);
    return { before: ready.version, after };
  }

  /**
   * Resolves with the version that runs when it has reported in and was told to stay. Throws what `DeviceAsks` throws,
   * `upgrade.check_failed`, `upgrade.returned` and `upgrade.silent`.
   */
  async upgrade(
    order: UpgradeOrder,
    signal: AbortSignal,
    onStep: (step: UpgradeStep | null) => void = () => {},
  ): Promise<string> {
    const version = await this.version();
    const ready = await this.readiness(order.device, signal);
    if (ready.last?.id === order.id && ready.last.outcome === 'returned') {
      throw this.#returned(order, version, ready.version);
    }
    if (ready.version === version) {
      if (ready.trial !== null) await this.#reported(order, version, ready.version, signal);
      return version;
    }
    if (ready.trial === null) {
      demandMet(ready);
      onStep(null);
      this.#record(order, 'begin_upgrade', ready.version, version);
      try {
        await this.#install(order, version, signal, onStep);
      } catch (error) {
        this.#record(order, 'upgrade', ready.version, version, 'failed');
        throw error;
      }
    }
    await this.#reported(order, version, ready.version, signal);
    this.#record(order, 'upgrade', ready.version, version);
    return version;
  }

  async #install(
    { id, workgroup, device }: UpgradeOrder,
    version: string,
    signal: AbortSignal,
    onStep: (step: UpgradeStep) => void,
  ): Promise<void> {
    const { packs, sign, archOf, deviceAsks, trialMinutes = TRIAL_MINUTES } = this.#options;
    const files = await packs.upgradeFiles(await archOf(workgroup, device));
    const manifest = JSON.stringify({
      for: 'albedo-agent-upgrade/1',
      id,
      device,
      version,
      expiresAt: Date.now() + MANIFEST_LIFE_MS,
      node: NODE,
      files: files.map(({ bytes: _bytes, ...file }) => file),
    } satisfies UpgradeManifest);
    const signed = { manifest, ...(await sign(manifest)) };
    const ask = deviceAsks.open(
      device,
      'upgrade.install',
      { ...signed, trialMinutes },
      { signal, onTell: ({ step }) => onStep(step) },
    );
    const sending = (async () => {
      for (const { bytes } of files) await ask.write(bytes);
      await ask.end();
    })();
    // The device may refuse while it is still being sent to; its reason is the one that counts.
    sending.catch(() => {});
    await ask.result;
  }

  /** Waits until the device runs the version, and tells it to stay; or until it is known that it went back. */
  async #reported(order: UpgradeOrder, version: string, before: string, signal: AbortSignal): Promise<void> {
    const { health, deviceAsks, trialMinutes = TRIAL_MINUTES } = this.#options;
    const { id, device } = order;
    const sentAt = Date.now();
    const until = sentAt + trialMinutes * 60_000 + RETURN_MS;
    while (Date.now() < until) {
      signal.throwIfAborted();
      const facts = health.of(device);
      if (facts.online && facts.version === version) {
        const answer = await deviceAsks.ask(device, 'upgrade.confirm', { id }, { signal }).catch(unlessAway);
        if (answer?.isConfirmed) return;
        const ready = answer && (await this.readiness(device, signal).catch(unlessAway));
        // Another one has confirmed it, or put it there.
        if (ready && ready.version === version && ready.trial === null) return;
      }
      const isBack = facts.online && facts.version !== version && (facts.stateChangedAt ?? 0) > sentAt;
      if (isBack) {
        const ready = await this.readiness(device, signal).catch(unlessAway);
        if (ready?.last?.id === id && ready.last.outcome === 'returned') {
          this.#record(order, 'upgrade', before, version, 'failed');
          throw this.#returned(order, version, ready.version);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    this.#record(order, 'upgrade', before, version, 'failed');
    throw new AppError('upgrade.silent', { version });
  }

  #returned({ device }: UpgradeOrder, version: string, back: string): AppError {
    return new AppError('upgrade.returned', { version, back, device });
  }

  #record(
    { workgroup, device, by }: UpgradeOrder,
    action: string,
    oldValue: string,
    newValue: string,
    status: 'success' | 'failed' = 'success',
  ): void {
    const what = { action, controller: 'agent', entity: 'agent', attribute: 'version', oldValue, newValue };
    const who = { by: by.email, address: by.address };
    this.#options.audit.record({ workgroup, device, at: Date.now(), ...what, ...who, status });
  }
}

/** A device that starts again is away for a moment, or so newly back that it does not listen yet. */
function unlessAway(error: unknown): null {
  if (error instanceof AppError && AWAY.has(error.error)) return null;
  throw error;
}
const AWAY = new Set([
  'device.offline',
  'device.lost',
  'device.no_answer',
  'device.busy',
  'device.agent_old',
]);

function demandMet({ obstacle, checks }: UpgradeReadiness): void {
  if (obstacle !== null) throw new AppError('device.unable', { why: obstacle });
  const failed = checks.find(({ isMet }) => !isMet);
  if (failed) throw new AppError('upgrade.check_failed', { check: failed.check });
}
