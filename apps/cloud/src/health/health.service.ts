import { isDeepStrictEqual } from 'node:util';
import type { DeviceFacts } from '@albedo/contract/devices/devices.schema';
import type { BatchStream, StatusMessage } from '@albedo/contract/link/link.messages';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { StoredFacts } from '../telemetry/telemetry.service.ts';
import { CpuWindow, factsOfArrival, factsOfStatus, factsOfStore, UNKNOWN_FACTS } from './facts.ts';
import type { HealthStore } from './health.store.ts';
import { deviceStateChanged, type FactsChanges, factsChanged } from './health.topics.ts';

/** Changed facts are sent at most this often, ms. */
const TELL_MS = 1000;
const SAVE_MS = 60_000;
/** A device that was online when the cloud stopped and is back within this never went away, ms. */
const RETURN_MS = 60_000;

type Facts = Partial<DeviceFacts>;

/**
 * What is known of every device, in memory: fed by presence, status messages and arrivals, loaded at the start from
 * what was saved last.
 */
export class Health {
  readonly #store: HealthStore;
  readonly #registry: DeviceRegistry;
  readonly #audit: Audit;
  readonly #bus: Bus;
  readonly #storedFacts: (now: number) => Promise<Map<string, StoredFacts>>;
  readonly #facts = new Map<string, DeviceFacts>();
  readonly #cpu = new Map<string, CpuWindow>();
  readonly #changed = new Map<string, Facts>();
  readonly #unsaved = new Set<string>();
  readonly #wasOnline = new Set<string>();
  readonly #timers: NodeJS.Timeout[] = [];
  #isStopped = false;

  constructor(options: {
    store: HealthStore;
    registry: DeviceRegistry;
    audit: Audit;
    bus: Bus;
    storedFacts: (now: number) => Promise<Map<string, StoredFacts>>;
  }) {
    this.#store = options.store;
    this.#registry = options.registry;
    this.#audit = options.audit;
    this.#bus = options.bus;
    this.#storedFacts = options.storedFacts;
  }

  async start(now = Date.now()): Promise<void> {
    const [saved, stored] = await Promise.all([this.#store.load(), this.#storedFacts(now)]);
    for (const { deviceId, facts } of saved) {
      this.#facts.set(deviceId, { ...UNKNOWN_FACTS, ...facts, online: false });
      if (facts.online) this.#wasOnline.add(deviceId);
    }
    for (const [deviceId, facts] of stored) {
      if (!this.#registry.known(deviceId)) continue;
      this.#facts.set(deviceId, { ...this.of(deviceId), ...factsOfStore(this.of(deviceId), facts, now) });
    }
    this.#timers.push(
      setInterval(() => this.#tell(), TELL_MS),
      setInterval(() => {
        this.#ageCpu();
        void this.#save();
      }, SAVE_MS),
      setTimeout(() => this.#sayWhoStayedAway(), RETURN_MS),
    );
  }

  /** From here on devices go because the cloud does; that is no news. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#tell();
    await this.#save();
  }

  /** Takes over what another process saw. */
  apply(changes: FactsChanges): void {
    for (const { deviceId, facts } of changes) this.#facts.set(deviceId, { ...this.of(deviceId), ...facts });
  }

  of(deviceId: string): DeviceFacts {
    return this.#facts.get(deviceId) ?? UNKNOWN_FACTS;
  }

  /** Number of devices that are online. */
  get online(): number {
    let online = 0;
    for (const facts of this.#facts.values()) if (facts.online) online++;
    return online;
  }

  forget(deviceId: string): void {
    this.#facts.delete(deviceId);
    this.#cpu.delete(deviceId);
    this.#changed.delete(deviceId);
    this.#unsaved.delete(deviceId);
    this.#wasOnline.delete(deviceId);
  }

  /**
   * A device came or went at `at` (epoch ms); what is known already changes nothing.
   *
   * Of several processes that see it only the first one (`isFirst`) tells it and writes it down.
   */
  setPresence(deviceId: string, online: boolean, at: number, { isFirst = true } = {}): void {
    const device = this.#registry.known(deviceId);
    if (!device || this.#isStopped || this.of(deviceId).online === online) return;
    const stayed = online && this.#wasOnline.delete(deviceId);
    const facts = { online, ...(stayed ? {} : { stateChangedAt: at }) };
    this.#set(deviceId, facts);
    if (!isFirst) return;
    void this.#bus.publish(deviceStateChanged, { workgroup: device.workgroup, deviceId, online, at });
    if (!stayed) this.#recordState(deviceId, online, at);
  }

  /** What another feature found out about a device. */
  note(deviceId: string, facts: Facts): void {
    this.#set(deviceId, facts);
  }

  takeStatus(deviceId: string, status: StatusMessage, now = Date.now()): void {
    const facts = factsOfStatus(status, now);
    const { wentBack } = facts;
    if (wentBack && wentBack.at !== this.of(deviceId).wentBack?.at) this.#recordBack(deviceId, wentBack);
    this.#set(deviceId, facts);
  }

  takeArrival(deviceId: string, streams: readonly BatchStream[], now = Date.now()): void {
    const cpu = this.#cpu.get(deviceId) ?? new CpuWindow();
    this.#cpu.set(deviceId, cpu);
    this.#set(deviceId, factsOfArrival(this.of(deviceId), streams, cpu, now));
  }

  #set(deviceId: string, facts: Facts): void {
    const known = this.of(deviceId);
    const changed = Object.entries(facts).filter(
      ([name, value]) => !isDeepStrictEqual(known[name as keyof Facts], value),
    );
    if (changed.length === 0) return;
    const changes = Object.fromEntries(changed);
    this.#facts.set(deviceId, { ...known, ...changes });
    this.#changed.set(deviceId, { ...this.#changed.get(deviceId), ...changes });
    this.#unsaved.add(deviceId);
  }

  /** Means of devices that send no samples any more; null when the last one has left the window. */
  #ageCpu(now = Date.now()): void {
    for (const [deviceId, cpu] of this.#cpu) {
      const cpuUsage = cpu.mean(now);
      this.#set(deviceId, { cpuUsage });
      if (cpuUsage === null) this.#cpu.delete(deviceId);
    }
  }

  #tell(): void {
    if (this.#changed.size === 0) return;
    const changes = [...this.#changed].map(([deviceId, facts]) => ({ deviceId, facts }));
    this.#changed.clear();
    void this.#bus.publish(factsChanged, changes);
  }

  async #save(): Promise<void> {
    const deviceIds = [...this.#unsaved].filter((id) => this.#registry.known(id));
    this.#unsaved.clear();
    await this.#store.save(deviceIds.map((deviceId) => ({ deviceId, facts: this.of(deviceId) })));
  }

  #sayWhoStayedAway(): void {
    const at = Date.now();
    for (const deviceId of this.#wasOnline) {
      this.#set(deviceId, { stateChangedAt: at });
      this.#recordState(deviceId, false, at);
    }
    this.#wasOnline.clear();
  }

  /** A device put back by itself what somebody here had changed. */
  #recordBack(deviceId: string, { kind, name, hash, why }: NonNullable<DeviceFacts['wentBack']>): void {
    const workgroup = this.#registry.known(deviceId)?.workgroup;
    if (!workgroup) return;
    this.#audit.record({
      ...{ workgroup, device: deviceId, at: Date.now(), action: 'put_back', controller: 'device_config' },
      ...{ entity: kind, attribute: name, oldValue: hash ?? null, newValue: why },
    });
  }

  #recordState(deviceId: string, online: boolean, at: number): void {
    const workgroup = this.#registry.known(deviceId)?.workgroup;
    if (!workgroup) return;
    const action = online ? 'online' : 'offline';
    this.#audit.record({
      workgroup,
      device: deviceId,
      at,
      action,
      controller: 'state_change',
      entity: 'device',
    });
  }
}
