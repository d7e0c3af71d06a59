import { join } from 'node:path';
import { dataLine, headerLine } from '@albedo/plugin-kit/records/csv-format';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import { type ModelBlock, readLayout } from '@albedo/plugin-kit/sunspec/layout';
import { DeviceRecords, wantedBlocks } from '@albedo/plugin-sunspec/device';
import { LocalClock } from '@albedo/simulator/plants/load';
import { Plant } from '@albedo/simulator/plants/plant';
import type { PlantDescription } from '@albedo/simulator/plants/plants';
import { deviceRegisters } from '@albedo/simulator/sunspec/devices';
import { BASE_ADDRESS } from '@albedo/simulator/sunspec/register-image';
import { sourceOf } from './agents.ts';
import { HistoryFile } from './history-file.ts';
import { DAY_MS, type HistoryPlan, historyDays, historyInstants, isLastDay } from './history-plan.ts';

interface Unit {
  unit: number;
  blocks: ModelBlock[];
  records: DeviceRecords;
  file: HistoryFile;
}

/**
 * The past of one plant, read as the plugin reads the present: the registers the simulated devices would have shown go
 * through the plugin's own decoder, so that headers, rounding and names are the same.
 */
export class HistoryWriter {
  readonly #plant: Plant;
  readonly #plan: HistoryPlan;
  readonly #clock: LocalClock;
  readonly #directory: string;
  #units: Unit[] = [];
  #days: number[] = [];
  #linesLeft = 0;

  constructor(plant: PlantDescription, directory: string, liveFrom: number) {
    this.#plant = new Plant(plant);
    this.#plan = { liveFrom, commissionedAt: plant.commissionedAt };
    this.#clock = new LocalClock(plant.site.timezone);
    this.#directory = directory;
  }

  /** Opens the files and finds the days that are still to be written. */
  async start(): Promise<void> {
    this.#units = await Promise.all(this.#plant.units().map((unit) => this.#openUnit(unit)));
    this.#days = historyDays(this.#plan).filter((day) => {
      const last = historyInstants(this.#plan, day).at(-1) ?? 0;
      return this.#units.some(({ file }) => file.needs(last));
    });
    this.#linesLeft = this.#days.reduce((sum, day) => sum + this.#linesOf(day), 0);
  }

  get daysLeft(): number {
    return this.#days.length;
  }

  /** Most lines still to be written; there may be fewer, since some devices sleep at night. */
  get linesLeft(): number {
    return this.#linesLeft;
  }

  /** How many lines and days the whole history has. */
  get size(): { lines: number; days: number } {
    const days = historyDays(this.#plan);
    return { lines: days.reduce((sum, day) => sum + this.#linesOf(day), 0), days: days.length };
  }

  /** Whether some of the last 24 hours before live data is missing. */
  get isUrgent(): boolean {
    const [next] = this.#days;
    return next !== undefined && isLastDay(this.#plan, next);
  }

  /** From when on the history is complete, epoch ms; null while even the newest day is missing. */
  get wholeFrom(): number | null {
    const [next] = this.#days;
    const all = historyDays(this.#plan);
    if (next === undefined) return (all.at(-1) ?? 0) * DAY_MS;
    return next === all[0] ? null : (next + 1) * DAY_MS;
  }

  #linesOf(day: number): number {
    return historyInstants(this.#plan, day).length * this.#units.length;
  }

  /** Writes the next day of all sources; gives how many lines that were. */
  writeDay(): number {
    const day = this.#days.shift();
    if (day === undefined) return 0;
    this.#linesLeft -= this.#linesOf(day);
    const lines = this.#units.map(() => [] as string[]);
    const instants = historyInstants(this.#plan, day);
    for (const at of instants) {
      const offsetMinutes = this.#clock.offsetMs(at) / 60_000;
      for (const [index, one] of this.#units.entries()) {
        if (!one.file.needs(at) || !this.#plant.answers(one.unit, at)) continue;
        const record = this.#record(one, at);
        if (record) lines[index]?.push(dataLine(at, record.values, offsetMinutes));
      }
    }
    for (const [index, { file }] of this.#units.entries()) {
      const written = lines[index] ?? [];
      if (written.length > 0) file.append(written, instants.at(-1) ?? 0);
    }
    return lines.reduce((sum, one) => sum + one.length, 0);
  }

  async #openUnit(unit: number): Promise<Unit> {
    const { description } = this.#plant;
    const at = this.#plan.liveFrom - 1000;
    const image = deviceRegisters(this.#plant, unit, at) ?? new Uint16Array();
    const layout = await readLayout(async (address, count) =>
      image.subarray(address - BASE_ADDRESS, address - BASE_ADDRESS + count),
    );
    const blocks = wantedBlocks(layout, []);
    const records = new DeviceRecords(blocks);
    const record = this.#record({ unit, blocks, records }, at);
    if (!record) throw new Error(`${description.slug} unit ${unit} has nothing to record`);
    const path = join(this.#directory, record.table, sourceOf(description, unit), 'latest.csv');
    const file = new HistoryFile(path, headerLine(record.columns));
    file.open();
    return { unit, blocks, records, file };
  }

  #record({ unit, blocks, records }: Omit<Unit, 'file'>, at: number): PluginRecord | undefined {
    const image = deviceRegisters(this.#plant, unit, at) ?? new Uint16Array();
    const registers = blocks.map(({ address, length }) =>
      image.subarray(address - BASE_ADDRESS, address - BASE_ADDRESS + length),
    );
    return records.records(registers, [unit], [])[0];
  }
}
