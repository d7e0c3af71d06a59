import { accessSync, constants } from 'node:fs';
import { SCHEDULE_LIMITS } from '@albedo/contract/schedules/schedules.names';
import type { RehearsalOnDevice } from '@albedo/contract/schedules/schedules.schema';
import { type SetpointKind, setpointText } from '@albedo/contract/schedules/setpoints';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { ModbusClient } from '@albedo/plugin-kit/modbus/modbus-client';
import {
  decode,
  encode,
  type Raw,
  readRaw,
  scaleOf,
  signedOf,
  type Target,
  valueRegister,
} from './channels.ts';
import { type ControlConfig, classOf, type InverterConfig, timerOf } from './config.ts';
import { Inverter, type Seen, UncontrollableError } from './inverter.ts';
import type { KeptInverter, KeptState } from './kept-state.ts';
import type { ScheduleEntry } from './schedule.ts';
import { type Sharer, shareActivePower } from './share.ts';

type InverterFacts = RehearsalOnDevice['inverters'][number];
type InverterEntry = RehearsalOnDevice['entries'][number]['inverters'][number];

/** An inverter as it was found, or why it was not. */
interface Found {
  config: InverterConfig;
  seen: Seen | null;
  kept: KeptInverter | null;
  error: unknown;
}

/** What a schedule would do to each inverter of the plant. They are read, and nothing is written, neither to them nor to the disk. */
export async function rehearse(
  of: { config: ControlConfig; state: KeptState; folder: string },
  kind: SetpointKind,
  entries: readonly ScheduleEntry[],
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<RehearsalOnDevice> {
  const plant = await look(of.config, of.state, signal);
  const shown = entries.slice(0, SCHEDULE_LIMITS.rehearsed);
  return {
    entries: shown.map(({ at, setpoint }) => ({
      datetime: new Date(at).toISOString(),
      value: setpoint ? setpointText(setpoint) : '',
      inverters: plant.flatMap(
        (found) => entryOf(found, kind, targetOf(found, setpoint, plant, of.config)) ?? [],
      ),
    })),
    inverters: plant.map((found) => factsOf(found, kind, of.folder, now)),
  };
}

async function look(config: ControlConfig, state: KeptState, signal: AbortSignal): Promise<Found[]> {
  const clients = new Map<string, ModbusClient>();
  const clientOf = ({ endpoint, port }: InverterConfig) => {
    const key = `${endpoint}:${port}`;
    const client =
      clients.get(key) ??
      new ModbusClient(
        { endpoint, port, mode: 'tcp', baudRate: 9600, parity: 'none', dataBits: 8, stopBits: 1 },
        { timeoutMs: config.timeout * 1000, attempts: 1, delayMs: 0, serialLock: false },
      );
    clients.set(key, client);
    return client;
  };
  try {
    return await Promise.all(
      config.inverters.map(async (own): Promise<Found> => {
        const of = { config: own, kept: state.inverter(own.name) };
        try {
          return { ...of, seen: await new Inverter(own, clientOf(own)).look(signal), error: null };
        } catch (error) {
          if (signal.aborted) throw error;
          return { ...of, seen: null, error };
        }
      }),
    );
  } finally {
    await Promise.all([...clients.values()].map((client) => client.close()));
  }
}

const ratedOf = ({ config, seen, kept }: Found): number =>
  seen?.ratedW ?? kept?.ratedW ?? config.rated_power ?? 0;

/** Of active power its share of the plant's; null for an end, or where it is out of reach. */
function targetOf(
  found: Found,
  setpoint: ScheduleEntry['setpoint'],
  plant: readonly Found[],
  { unreachable }: ControlConfig,
): Target | null {
  if (setpoint?.kind !== 'setpoint_activepower') return setpoint;
  const sharers = plant.map((one): Sharer => {
    const ratedW = ratedOf(one);
    const assumedW = unreachable === 'stopped' ? 0 : ratedW;
    return { name: one.config.name, ratedW, isReachable: one.seen !== null, assumedW };
  });
  const percent = shareActivePower(setpoint, sharers).get(found.config.name);
  return percent === undefined ? null : { kind: 'setpoint_activepower', percent };
}

/** A null target is the end: what was there before comes back. */
function entryOf(
  { config, seen, kept }: Found,
  kind: SetpointKind,
  target: Target | null,
): InverterEntry | null {
  if (!seen) return null;
  const { map, block, ratedW } = seen;
  const raw: Raw = target
    ? encode(target, map, config, block, ratedW)
    : { ...readRaw(map.names[kind], map, block), ...kept?.channels[kind]?.original.registers };
  const value = valueRegister(kind, map, raw);
  const said = Object.entries(raw).flatMap(([name, counts]) => {
    const place = map.registers.get(name);
    if (!place || (place.isTimer && counts === 0)) return [];
    const scale = name === value ? ` (SF ${scaleOf(kind, map, name)})` : '';
    return [`${name} ${signedOf(place, counts)}${scale}`];
  });
  return { name: config.name, register: said.join(', ').slice(0, 300), kw: kwOf(kind, seen, raw) };
}

function kwOf(kind: SetpointKind, { map, ratedW }: Seen, raw: Raw): number | null {
  if (kind !== 'setpoint_activepower') return null;
  const isLimited = raw[map.enables[kind]] === 1;
  const percent = isLimited ? (raw.WMaxLimPct ?? 0) * 10 ** map.scales.limit : 100;
  return Number(((Math.min(100, percent) * ratedW) / 100_000).toFixed(3));
}

function factsOf(found: Found, kind: SetpointKind, folder: string, now: number): InverterFacts {
  const { config, seen, kept, error } = found;
  const ratedW = ratedOf(found);
  const day = new Date(now).toISOString().slice(0, 10);
  const writes = kept?.wear.day === day ? Object.values(kept.wear.writes) : [];
  return {
    name: config.name,
    isReached: seen !== null || error instanceof UncontrollableError,
    model: seen?.map.model ?? null,
    ratedKw: ratedW === 0 ? null : ratedW / 1000,
    ...writability(found, kind, folder),
    ...whenLost(found, kind),
    isPersistent: classOf(config, kind) === 'persistent',
    persistentWritesToday: Math.max(0, ...writes),
  };
}

/** As far as reading tells. */
function writability(
  { config, seen, kept, error }: Found,
  kind: SetpointKind,
  folder: string,
): Pick<InverterFacts, 'mayWrite' | 'why'> {
  const answer = (mayWrite: InverterFacts['mayWrite'], why: string) => ({ mayWrite, why: why.slice(0, 500) });
  if (!isWritable(folder))
    return answer('no', `PV control cannot write to ${folder}, where it keeps what was there before`);
  if (error instanceof UncontrollableError) return answer('no', error.message);
  if (!seen) return answer('unknown', messageOf(error));
  if (seen.isLocal) return answer('no', 'it is in local mode: somebody operates it at its panel');
  const { map, block } = seen;
  const value = valueRegister(kind, map, { VarSetMod: 1, VArPct_Mod: 1 });
  if (kind !== 'setpoint_activepower' && !hasRegister(seen, value))
    return answer('no', `it does not have the register ${value}`);
  const written = kept?.serial === seen.serial ? kept.channels[kind]?.written : undefined;
  if (written?.isConfirmed) return answer('yes', `it took a write at ${new Date(written.at).toISOString()}`);
  const held = decode(kind, map, readRaw(map.names[kind], map, block), config);
  if (held !== 'off' && held !== '100%')
    return answer(
      'unknown',
      `another controller holds it at ${held}; its registers are there, and nothing was written yet`,
    );
  return answer('unknown', 'its registers are there; whether it takes writes shows at the first one');
}

function hasRegister({ map, block }: Seen, name: string): boolean {
  const raw = readRaw([name], map, block)[name];
  const place = map.registers.get(name);
  return raw !== undefined && place !== undefined && raw !== (place.size === 1 ? 0x8000 : 0x8000_0000);
}

/**
 * What it does by itself once nobody renews its setpoint. Model 123 knows a time, and no value for after it: without one it
 * keeps its setpoint only until it starts again, which is no hold that safety can depend on.
 */
function whenLost(
  { config, seen }: Found,
  kind: SetpointKind,
): Pick<InverterFacts, 'whenLost' | 'fallback' | 'timerS'> {
  const timerS = timerOf(config, kind);
  const is704 = seen?.map.model === 704;
  if (timerS === 0) return { whenLost: is704 ? 'hold' : 'release', fallback: null, timerS: null };
  const hasFallback = kind === 'setpoint_activepower' && config.fallback !== undefined && is704;
  return {
    whenLost: hasFallback ? 'value' : 'release',
    fallback: hasFallback ? `${config.fallback}%` : null,
    timerS,
  };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
