import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SetpointStatus } from '@albedo/contract/schedules/control-status';
import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import type { Behaviour } from '@albedo/simulator/controls/behaviours';
import { PlantControls } from '@albedo/simulator/controls/plant-controls';
import { Plant } from '@albedo/simulator/plants/plant';
import { findPlant } from '@albedo/simulator/plants/plants';
import { PlantServer } from '@albedo/simulator/sunspec/modbus-server';
import { stringify } from 'yaml';
import { parseConfig } from '../config.ts';
import { Controller } from '../controller.ts';
import { Journal } from '../journal.ts';
import { KeptState } from '../kept-state.ts';
import { scheduleFile } from '../providers.ts';

/** Two hours of sun begin at hilltop. */
export const SUNNY = Date.UTC(2026, 2, 6, 10);

interface PlantOptions {
  slug?: string;
  behaviours?: Behaviour[];
  at?: number;
}

/** A simulated plant, the folder of a plugin that controls it, and one clock for both. */
export class ControlledPlant {
  now: number;
  readonly folder = mkdtempSync(join(tmpdir(), 'albedo-pv-control-'));
  readonly plant: Plant;
  readonly controls: PlantControls;
  readonly records: PluginRecord[] = [];
  readonly #server: PlantServer;
  #port = 0;
  #controller: Controller | null = null;
  #journal = new Journal('roof');
  #death = new AbortController().signal;

  constructor({ slug = 'hilltop', behaviours = [], at = SUNNY }: PlantOptions = {}) {
    this.now = at;
    const description = { ...findPlant(slug), commissionedAt: at - 86_400_000 };
    this.controls = new PlantControls(description, {
      behaviours: behaviours.map((behaviour) => ({ unit: 1, behaviour })),
    });
    this.plant = new Plant(description, this.controls);
    this.#server = new PlantServer(this.plant, () => this.now);
  }

  get port(): number {
    return this.#port;
  }

  async start(): Promise<void> {
    this.#port = await this.#server.start('127.0.0.1', this.#port);
  }

  /** The plant is out of reach until it starts again. */
  stopPlant(): Promise<void> {
    return this.#server.stop();
  }

  async end(): Promise<void> {
    await this.#controller?.close();
    await this.#server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  schedule(path: `${string}/${SetpointKind}`, text: string): void {
    const [provider = '', kind] = path.split('/') as [string, SetpointKind];
    const file = scheduleFile(join(this.folder, 'schedules'), provider, kind);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  config(inverter: Record<string, unknown> = {}, more: Record<string, unknown> = {}, units = [1]): string {
    return stringify({
      plant: 'roof',
      timeout: 0.4,
      providers: [{ name: 'operator', type: 'schedule', enable_reactive_power: true }],
      inverters: units.map((unit) => ({
        name: `inv-${unit}`,
        endpoint: '127.0.0.1',
        port: this.#port,
        unit,
        ...inverter,
      })),
      ...more,
    });
  }

  /** A controller as a process has it that has just begun. */
  async control(yaml = this.config()): Promise<void> {
    await this.#controller?.close();
    this.#death = new AbortController().signal;
    const state = new KeptState(join(this.folder, 'state.json'));
    state.load();
    this.#journal = new Journal('roof');
    const config = parseConfig(yaml, 'control.yaml');
    this.#controller = new Controller(config, join(this.folder, 'schedules'), state, this.#journal);
  }

  /** Rounds, so many seconds apart. */
  async rounds(count: number, secondsApart = 1): Promise<void> {
    for (let round = 0; round < count; round++) {
      await this.#controller?.round(this.now, this.#death);
      this.records.push(...this.#journal.take());
      this.now += secondsApart * 1000;
    }
  }

  /** A round that begins because somebody has touched a schedule. */
  async changed(): Promise<void> {
    await this.#controller?.round(this.now, this.#death, true);
    this.records.push(...this.#journal.take());
    this.now += 100;
  }

  /** The controller is gone after so many more writes reached the plant, in the middle of what it does. */
  dieAfter(writes: number): { hasDied: () => boolean } {
    const death = new AbortController();
    const write = this.controls.write.bind(this.controls);
    let left = writes;
    this.controls.write = (one) => {
      write(one);
      left--;
      if (left === 0) death.abort();
    };
    this.#death = death.signal;
    return { hasDied: () => death.signal.aborted };
  }

  /** What is said of a setpoint after the newest round. */
  status(path: string): SetpointStatus | undefined {
    return this.#controller?.status().find((one) => one.path === path);
  }

  limitPct(unit = 1): number {
    return this.controls.setpoints(unit, this.now)?.limitPct ?? 100;
  }

  powerW(unit = 1): number {
    return this.plant.inverter(unit, this.now).acPowerW;
  }

  /** A column of what was recorded, for one action where one is named. */
  said(column: string, action?: string): string[] {
    return this.records.flatMap(({ table, columns, values }) => {
      const at = (name: string) => values[columns.findIndex((one) => one.name === name)];
      if (table !== 'control' || (action !== undefined && at('Action') !== action)) return [];
      const value = at(column) ?? null;
      return value === null ? [] : [String(value)];
    });
  }

  errors(): string[] {
    return this.records
      .filter(({ table }) => table === 'control-errors')
      .map(({ values }) => String(values[2]));
  }

  /** What another master does. */
  writes(values: Record<string, number>, unit = 1): void {
    const at = Math.floor(this.now / 1000) * 1000;
    this.controls.write({ at, unit, values });
  }
}

/** Text of a schedule, from ISO times or epoch ms. */
export const scheduleOf = (...entries: [at: number, value: string][]): string =>
  `datetime,value\n${entries.map(([at, value]) => `${new Date(at).toISOString()},${value}\n`).join('')}`;
