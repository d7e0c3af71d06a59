import type { ModbusClient } from '@albedo/plugin-kit/modbus/modbus-client';
import { type ModelBlock, readLayout } from '@albedo/plugin-kit/sunspec/layout';
import { type ControlMap, controlMap, wordsOf } from './channels.ts';
import type { InverterConfig } from './config.ts';

/** Where things stand in the inverter models with whole numbers. Source: model_101.json to model_103.json. */
const MEASURED = { watts: [14, 15], vars: [20, 21], state: 38 } as const;
const ASLEEP = [1, 2];

export interface Measured {
  powerW: number | null;
  reactiveVar: number | null;
  /** Code of model 103, point St; null without that model. */
  state: number | null;
}

/** An inverter as it was read at one instant. */
export interface Seen {
  serial: string;
  ratedW: number;
  map: ControlMap;
  /** Registers of the control model with its id at 0, as they were read last. */
  block: number[];
  measured: Measured;
  /** Somebody operates it at its panel. */
  isLocal: boolean;
}

interface Known {
  serial: string;
  ratedW: number;
  control: ModelBlock;
  measured: ModelBlock | null;
  der: ModelBlock | null;
}

/** It answers, and has nothing to be controlled by as it is configured. */
export class UncontrollableError extends Error {
  override name = 'UncontrollableError';
}

/** One inverter behind a connection that it may share with others. */
export class Inverter {
  readonly config: InverterConfig;
  readonly #client: ModbusClient;
  #known: Known | null = null;
  #heartbeat = 0;

  constructor(config: InverterConfig, client: ModbusClient) {
    this.config = config;
    this.#client = client;
  }

  /** Rejects where it does not answer, or has nothing to be controlled by. */
  async look(signal: AbortSignal): Promise<Seen> {
    const known = this.#known ?? (await this.#explore(signal));
    try {
      const block = await this.#block(known.control, signal);
      const measured = known.measured ? measuredIn(await this.#block(known.measured, signal)) : NOTHING;
      const der = known.der ? await this.#block(known.der, signal) : null;
      const map = controlMap(known.control.id as 123 | 704, block);
      const { serial, ratedW } = known;
      return { serial, ratedW, map, block, measured, isLocal: der?.[2] === 1 };
    } catch (error) {
      // It may be another one, or have other models, when it comes back.
      this.#known = null;
      throw error;
    }
  }

  /** Registers of the control model alone. */
  async readBack(signal: AbortSignal): Promise<number[]> {
    if (!this.#known) throw new Error('it has not been looked at');
    return this.#block(this.#known.control, signal);
  }

  async write(name: string, raw: number, map: ControlMap, code: 6 | 16, signal: AbortSignal): Promise<void> {
    const [place, control] = [map.registers.get(name), this.#known?.control];
    if (!place || !control) throw new Error(`there is no register ${name}`);
    const words = wordsOf(place, raw);
    const at = control.address + place.at;
    if (code === 16) return this.#client.write(this.config.unit, at, words, 16, signal);
    for (const [index, word] of words.entries())
      await this.#client.write(this.config.unit, at + index, [word], 6, signal);
  }

  /** Shows the inverter that its controller lives, where it listens for that. */
  async beat(code: 6 | 16, signal: AbortSignal): Promise<void> {
    const der = this.#known?.der;
    if (!der) return;
    this.#heartbeat = (this.#heartbeat % 60_000) + 1;
    await this.#client.write(this.config.unit, der.address + 4, [this.#heartbeat], code, signal);
  }

  async #explore(signal: AbortSignal): Promise<Known> {
    const read = (address: number, count: number) =>
      this.#client.read(this.config.unit, 'holding', address, count, signal);
    const { about, blocks } = await readLayout(read);
    const find = (...ids: number[]) => blocks.find(({ id }) => ids.includes(id)) ?? null;
    const control = find(704) ?? find(123);
    if (!control)
      throw new UncontrollableError(
        'it has neither model 123 nor 704, so it cannot be controlled by SunSpec',
      );
    if (control.id === 123 && this.config.fallback !== undefined)
      throw new UncontrollableError('model 123 can only release when its timer ends: leave out fallback');
    const known = {
      serial: about.find(([name]) => name === 'Serial number')?.[1] ?? '',
      ratedW: this.config.rated_power ?? (await this.#rating(find(121), find(120), signal)),
      control,
      measured: find(101, 102, 103),
      der: find(715),
    };
    this.#known = known;
    return known;
  }

  /** `WMax` of the settings, which percentages are of, else the nameplate. Source: model_121.json, model_120.json. */
  async #rating(settings: ModelBlock | null, nameplate: ModelBlock | null, signal: AbortSignal) {
    const of = settings
      ? scaled(await this.#block(settings, signal), 2, 22, false)
      : nameplate
        ? scaled(await this.#block(nameplate, signal), 3, 4, false)
        : null;
    if (!of) throw new UncontrollableError('it does not say its rated power: give rated_power');
    return of;
  }

  #block({ address, length }: ModelBlock, signal: AbortSignal): Promise<number[]> {
    return this.#client.read(this.config.unit, 'holding', address, length, signal);
  }
}

const NOTHING: Measured = { powerW: null, reactiveVar: null, state: null };

export const isAsleep = ({ state }: Measured): boolean => state !== null && ASLEEP.includes(state);

function measuredIn(block: readonly number[]): Measured {
  const state = block[MEASURED.state] ?? 0xffff;
  return {
    powerW: scaled(block, ...MEASURED.watts, true),
    reactiveVar: scaled(block, ...MEASURED.vars, true),
    state: state === 0xffff ? null : state,
  };
}

function scaled(block: readonly number[], at: number, scaleAt: number, isSigned: boolean): number | null {
  const raw = block[at] ?? 0xffff;
  const power = block[scaleAt] ?? 0x8000;
  if (raw === (isSigned ? 0x8000 : 0xffff) || power === 0x8000) return null;
  const value = isSigned && raw > 0x7fff ? raw - 0x1_0000 : raw;
  return value * 10 ** (power > 0x7fff ? power - 0x1_0000 : power);
}
