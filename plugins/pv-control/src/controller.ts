import type { SetpointStatus } from '@albedo/contract/schedules/control-status';
import type { FollowResult } from '@albedo/contract/schedules/schedules.names';
import type { InverterFollows } from '@albedo/contract/schedules/schedules.schema';
import {
  SETPOINT_KINDS,
  type Setpoint,
  type SetpointKind,
  setpointText,
} from '@albedo/contract/schedules/setpoints';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { ModbusClient } from '@albedo/plugin-kit/modbus/modbus-client';
import { ChannelControl, type Wish } from './channel-control.ts';
import { decode, readRaw, type Target, targetText, valueRegister } from './channels.ts';
import { type ControlConfig, classOf } from './config.ts';
import { Inverter, type Seen } from './inverter.ts';
import type { Journal } from './journal.ts';
import type { KeptInverter, KeptState } from './kept-state.ts';
import { type Chosen, choose, Provider } from './providers.ts';
import { type Sharer, shareActivePower } from './share.ts';

interface RoundFacts {
  now: number;
  /** When inverters were looked at. */
  seenAt: number;
  chosen: Map<SetpointKind, Chosen>;
  shares: Map<string, number>;
  seen: (Seen | null)[];
}

interface SetpointFacts {
  provider: Provider;
  kind: SetpointKind;
  value: Setpoint | null;
  fault: string | null;
}

interface Controlled {
  inverter: Inverter;
  channels: Map<SetpointKind, ChannelControl>;
}

/**
 * A plant that is held at its setpoints. Each round reads every inverter, shares the plant's value, and writes what is due.
 *
 * Rules: one round at a time, and one controller for a plant; the caller holds the lock.
 */
export class Controller {
  readonly #config: ControlConfig;
  readonly #state: KeptState;
  readonly #providers: Provider[];
  readonly #clients = new Map<string, ModbusClient>();
  readonly #controlled: Controlled[];
  readonly #journal: Journal;
  readonly #streamedAt = new Map<string, number>();
  /** The newest round, for whoever asks what came of it. */
  #last: RoundFacts | null = null;
  readonly #silent = new Map<string, string>();

  constructor(config: ControlConfig, schedules: string, state: KeptState, journal: Journal) {
    this.#config = config;
    this.#state = state;
    this.#journal = journal;
    this.#providers = config.providers.map((provider) => new Provider(provider, schedules));
    this.#controlled = config.inverters.map((own) => {
      const inverter = new Inverter(own, this.#clientOf(own.endpoint, own.port));
      const channels = SETPOINT_KINDS.map(
        (kind) => [kind, new ChannelControl(kind, inverter, state, journal)] as const,
      );
      return { inverter, channels: new Map(channels) };
    });
  }

  /**
   * `isChanged` says that somebody has touched files of schedules. What they say now reaches inverters as they were seen a
   * moment ago: a stop waits for no reading, least of all for an inverter that does not answer.
   */
  async round(now: number, signal: AbortSignal, isChanged = false): Promise<void> {
    for (const provider of this.#providers) this.#refresh(provider, now, isChanged);
    const chosen = choose(this.#providers, now);
    for (const provider of this.#providers) this.#stream(provider, chosen, now);
    const recent = isChanged ? this.#recent(now) : null;
    const seen =
      recent?.seen ?? (await Promise.all(this.#controlled.map((one) => this.#look(one, now, signal))));
    signal.throwIfAborted();
    const shares = this.#shares(chosen.get('setpoint_activepower'), seen, now);
    await Promise.all(
      this.#controlled.map(async (one, index) => {
        const found = seen[index];
        if (found)
          await this.#control(one, found, { chosen, shares, now, signal, isSeenNow: recent === null });
      }),
    );
    this.#last = { now, seenAt: recent?.seenAt ?? now, chosen, shares, seen };
  }

  /** The newest round where inverters were looked at just now. */
  #recent(now: number): RoundFacts | null {
    const last = this.#last;
    return last && Math.abs(now - last.seenAt) <= 2 * this.#config.interval ? last : null;
  }

  /** What each inverter makes of each setpoint that takes schedules, or says something, after the newest round. */
  status(): SetpointStatus[] {
    const last = this.#last;
    if (!last) return [];
    return this.#providers.flatMap((provider) =>
      SETPOINT_KINDS.flatMap((kind) => {
        const value = provider.value(kind, last.now);
        if (provider.config.type === 'fixed' && value === null) return [];
        const setpoint = { provider, kind, value, fault: provider.fault(kind) };
        return [
          {
            path: `${provider.config.name}/${kind}`,
            kind,
            value: value && setpointText(value),
            file: provider.fileHash(kind),
            fault: setpoint.fault,
            inverters: this.#controlled.map((one, index) =>
              this.#follows(one, last.seen[index] ?? null, setpoint, last),
            ),
          },
        ];
      }),
    );
  }

  #follows(
    { inverter, channels }: Controlled,
    seen: Seen | null,
    { provider, kind, value, fault }: SetpointFacts,
    { now, chosen, shares }: RoundFacts,
  ): InverterFollows {
    const { name } = inverter.config;
    const wish = wishOf(chosen.get(kind), shares.get(name));
    const isChosen = wish !== null && wish.provider === provider.config.name;
    const channel = this.#state.inverter(name)?.channels[kind];
    const stands = channels.get(kind)?.standing(wish !== null, channel);
    const raw = seen && readRaw(seen.map.names[kind], seen.map, seen.block);
    const of = {
      name,
      register: seen && raw ? valueRegister(kind, seen.map, channel?.written?.registers ?? raw) : '',
      wanted: isChosen ? targetText(wish.target) : value && setpointText(value),
      readBack: seen && raw ? decode(kind, seen.map, raw, inverter.config) : null,
      powerW: seen?.measured.powerW ?? null,
      isForeign: stands?.isForeign ?? false,
      at: now,
    };
    const follows = (result: FollowResult, why: string) => ({ ...of, result, why: why.slice(0, 500) });
    if (fault !== null) return follows('notFollowed', fault);
    if (!seen) return follows('notTestable', this.#silent.get(name) ?? 'it does not answer');
    if (value === null && wish !== null) return follows('followed', `${wish.provider} holds: ${wish.value}`);
    if (value !== null && !isChosen) return follows('notFollowed', whyNotChosen(provider, kind, chosen));
    return follows(stands?.result ?? 'notTestable', stands?.why ?? '');
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }

  #clientOf(endpoint: string, port: number): ModbusClient {
    const key = `${endpoint}:${port}`;
    const known = this.#clients.get(key);
    if (known) return known;
    const client = new ModbusClient(
      { endpoint, port, mode: 'tcp', baudRate: 9600, parity: 'none', dataBits: 8, stopBits: 1 },
      { timeoutMs: this.#config.timeout * 1000, attempts: 1, delayMs: 0, serialLock: false },
    );
    this.#clients.set(key, client);
    return client;
  }

  #refresh(provider: Provider, now: number, isChanged: boolean): void {
    const faults = provider.refresh(now, isChanged);
    for (const kind of SETPOINT_KINDS) {
      const fault = faults.find((one) => one.kind === kind);
      if (fault) this.#journal.error(now, provider.config.name, kind, fault.message);
      else this.#journal.well(provider.config.name, kind);
    }
  }

  #stream(provider: Provider, chosen: Map<SetpointKind, Chosen>, now: number): void {
    const { name, stream_interval } = provider.config;
    const last = this.#streamedAt.get(name) ?? Number.NEGATIVE_INFINITY;
    if (stream_interval === 0 || now - last < stream_interval * 1000) return;
    this.#streamedAt.set(name, now);
    const texts = SETPOINT_KINDS.map((kind) => {
      const setpoint = provider.value(kind, now);
      return setpoint && setpointText(setpoint);
    });
    const obeyed = SETPOINT_KINDS.filter((kind) => chosen.get(kind)?.provider === name);
    this.#journal.stream(now, name, texts, obeyed);
  }

  /** Null where it does not answer, which is told. */
  async #look({ inverter, channels }: Controlled, now: number, signal: AbortSignal): Promise<Seen | null> {
    const { name } = inverter.config;
    try {
      const seen = await inverter.look(signal);
      this.#journal.well(name, null);
      this.#silent.delete(name);
      this.#keep(name, seen);
      return seen;
    } catch (error) {
      if (signal.aborted) throw error;
      for (const channel of channels.values()) channel.away();
      this.#silent.set(name, messageOf(error));
      this.#journal.error(now, name, null, messageOf(error));
      return null;
    }
  }

  /** An inverter in the place of another one has nothing of ours. */
  #keep(name: string, { serial, ratedW }: Seen): KeptInverter {
    const known = this.#state.inverter(name);
    if (known && known.serial === serial && known.ratedW === ratedW) return known;
    const kept: KeptInverter =
      known?.serial === serial
        ? { ...known, ratedW }
        : { serial, ratedW, channels: {}, wear: { day: '', writes: {} } };
    this.#state.set(name, kept);
    return kept;
  }

  #shares(chosen: Chosen | undefined, seen: (Seen | null)[], now: number): Map<string, number> {
    if (chosen?.setpoint.kind !== 'setpoint_activepower') return new Map();
    const sharers = this.#controlled.map(({ inverter: { config } }, index): Sharer => {
      const ratedW =
        seen[index]?.ratedW ?? this.#state.inverter(config.name)?.ratedW ?? config.rated_power ?? 0;
      const assumedW = this.#config.unreachable === 'stopped' ? 0 : this.#assumedW(config.name, ratedW, now);
      return { name: config.name, ratedW, isReachable: seen[index] !== null, assumedW };
    });
    return shareActivePower(chosen.setpoint, sharers);
  }

  /** What an inverter out of reach may be making: what it was told last as long as its timer holds, else all it can. */
  #assumedW(name: string, ratedW: number, now: number): number {
    const written = this.#state.inverter(name)?.channels.setpoint_activepower?.written;
    if (!written?.isConfirmed || written.limitPct === undefined) return ratedW;
    const isHeld = written.timerS === 0 || now < written.at + written.timerS * 1000;
    const fallback = this.#config.inverters.find((one) => one.name === name)?.fallback;
    return ((isHeld ? written.limitPct : (fallback ?? 100)) * ratedW) / 100;
  }

  async #control(
    { inverter, channels }: Controlled,
    seen: Seen,
    {
      chosen,
      shares,
      now,
      signal,
      isSeenNow,
    }: Omit<RoundFacts, 'seen' | 'seenAt'> & {
      signal: AbortSignal;
      isSeenNow: boolean;
    },
  ): Promise<void> {
    const { name } = inverter.config;
    const kept = this.#keep(name, seen);
    let isOurs = false;
    // What ends is given back before anything else begins: cos phi and reactive power exclude each other.
    const order = [...channels].toSorted(([a], [b]) => Number(chosen.has(a)) - Number(chosen.has(b)));
    for (const [kind, channel] of order) {
      const wish = wishOf(chosen.get(kind), shares.get(name));
      await channel.round(wish, { now, seen, kept, signal, isSeenNow });
      const isHeld = wish !== null && kept.channels[kind]?.written?.isConfirmed === true;
      isOurs ||= isHeld && classOf(inverter.config, kind) === 'volatile';
    }
    if (!isOurs) return;
    try {
      await inverter.beat(channels.get('setpoint_activepower')?.code ?? 16, signal);
      this.#journal.well(name, 'heartbeat');
    } catch (error) {
      if (signal.aborted) throw error;
      this.#journal.error(now, name, 'heartbeat', messageOf(error));
    }
  }
}

function wishOf(chosen: Chosen | undefined, percent: number | undefined): Wish | null {
  if (!chosen) return null;
  const { provider, setpoint, since } = chosen;
  const target: Target | null =
    setpoint.kind !== 'setpoint_activepower'
      ? setpoint
      : percent === undefined
        ? null
        : { kind: 'setpoint_activepower', percent };
  return target && { provider, value: setpointText(setpoint), since, target };
}

/** Why a provider that says something is not obeyed. */
function whyNotChosen(provider: Provider, kind: SetpointKind, chosen: Map<SetpointKind, Chosen>): string {
  if (!provider.isEnabled(kind)) return 'it is switched off in control.yaml: recorded, and not obeyed';
  const other = chosen.get(kind);
  if (other) return `${other.provider} comes first: ${setpointText(other.setpoint)}`;
  return 'cos phi and reactive power exclude each other, and the other one comes first';
}
