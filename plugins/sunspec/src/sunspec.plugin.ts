import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { parseBusAddresses } from '@albedo/plugin-kit/command-line/bus-addresses';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { type Log, messageOf } from '@albedo/plugin-kit/command-line/log';
import { ModbusClient, type ModbusTarget } from '@albedo/plugin-kit/modbus/modbus-client';
import { ModbusError } from '@albedo/plugin-kit/modbus/modbus-error';
import {
  MODBUS_LOOKS,
  MODBUS_OPTIONS,
  modbusManners,
  modbusTarget,
  SERIAL_DEVICES,
} from '@albedo/plugin-kit/modbus/modbus-options';
import type { Plugin, Reader } from '@albedo/plugin-kit/plugin';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import { recordText } from '@albedo/plugin-kit/records/record-text';
import { type DeviceLayout, type ModelBlock, readLayout } from '@albedo/plugin-kit/sunspec/layout';
import { DeviceRecords, wantedBlocks } from './device.ts';
import { DeviceModels } from './device-models.ts';

export const sunspecPlugin: Plugin = {
  name: 'sunspec_albedo',
  summary: 'Reads inverters, meters and weather stations that speak SunSpec over Modbus.',
  positionals: ['endpoint', 'bus_addresses'],
  options: {
    ...MODBUS_OPTIONS,
    baud: { ...MODBUS_OPTIONS.baud, default: 115_200 },
    required_models: {
      kind: 'text',
      default: '',
      help: 'models to read, such as 103,160; a missing one is an error',
    },
  },
  package: {
    name: 'sunspec',
    title: 'SunSpec',
    labels: ['solar-inverters', 'electricity-meters', 'weather-stations', 'batteries'],
    uses: { devices: SERIAL_DEVICES, paths: [] },
    arguments: MODBUS_LOOKS,
  },
  open: (args, log) => new SunspecReader(args, log, (blocks) => new DeviceRecords(blocks)),
  browse,
};

/** Every model of each device, also those that nothing is known of. */
async function* browse(args: Arguments, log: Log, signal: AbortSignal): AsyncGenerator<string> {
  const reader = new SunspecReader(args, log, (blocks) => new DeviceModels(blocks), true);
  const failures: Error[] = [];
  try {
    for await (const record of reader.read(signal, (error) => void failures.push(error)))
      yield `${recordText(record)}\n`;
  } finally {
    await reader.close();
  }
  const last = failures.pop();
  for (const { message } of failures) log.error(message);
  if (last) throw last;
}

interface KnownDevice {
  layout: DeviceLayout;
  blocks: ModelBlock[];
  records: Pick<DeviceRecords, 'records'>;
}

class SunspecReader implements Reader {
  readonly #target: ModbusTarget;
  readonly #client: ModbusClient;
  readonly #units: number[];
  readonly #required: number[];
  readonly #stopsAtFailure: boolean;
  readonly #log: Log;
  readonly #recordsOf: (blocks: ModelBlock[]) => KnownDevice['records'];
  readonly #wantsAll: boolean;
  readonly #devices = new Map<number, KnownDevice>();

  constructor(
    args: Arguments,
    log: Log,
    recordsOf: (blocks: ModelBlock[]) => KnownDevice['records'],
    wantsAll = false,
  ) {
    this.#recordsOf = recordsOf;
    this.#wantsAll = wantsAll;
    this.#target = modbusTarget(args);
    this.#client = new ModbusClient(this.#target, modbusManners(args));
    this.#units = parseBusAddresses(args.text('bus_addresses'), 1, 255);
    this.#required = modelIds(args.text('required_models'));
    this.#stopsAtFailure = args.flag('stop_on_any_command_fail');
    this.#log = log;
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    try {
      for (const unit of this.#units) {
        try {
          yield* await this.#readUnit(unit, signal, failed);
        } catch (error) {
          failed(error instanceof ModbusError ? error : new Error(this.#named(unit, messageOf(error))));
          if (this.#stopsAtFailure || signal.aborted) return;
        }
      }
    } finally {
      await this.#client.rest();
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #readUnit(
    unit: number,
    signal: AbortSignal,
    failed: (error: Error) => void,
  ): Promise<PluginRecord[]> {
    const read = (address: number, count: number) =>
      this.#client.read(unit, 'holding', address, count, signal);
    const device = this.#devices.get(unit) ?? (await this.#explore(unit, read));
    const { fault } = device.layout;
    if (fault) failed(new Error(`${fault.message}; models from there on are left out`));
    const registers = await this.#readBlocks(unit, device.blocks, read, failed);
    return device.records.records(registers, this.#sourceOf(unit), device.layout.about);
  }

  /** One list for each block, empty where it could not be read; throws when none of them could. */
  async #readBlocks(
    unit: number,
    blocks: ModelBlock[],
    read: (address: number, count: number) => Promise<number[]>,
    failed: (error: Error) => void,
  ): Promise<number[][]> {
    const registers: number[][] = [];
    const faults: ModbusError[] = [];
    for (const block of blocks) {
      try {
        // Who was silent once would be for the others too.
        registers.push(faults.at(-1)?.fault === 'timeout' ? [] : await read(block.address, block.length));
      } catch (error) {
        if (!isOfOneModel(error) || this.#stopsAtFailure) throw error;
        faults.push(error);
        registers.push([]);
        continue;
      }
      const [id, length] = registers.at(-1) ?? [];
      if (id === undefined || (id === block.id && length === block.length - 2)) continue;
      this.#devices.delete(unit);
      throw new Error(`model ${block.id} is no longer at ${block.address}; the device has changed`);
    }
    const [first] = faults;
    if (first && registers.every(({ length }) => length === 0)) throw first;
    for (const { message } of faults) failed(new Error(`${message}; the other models are read`));
    return registers;
  }

  async #explore(
    unit: number,
    read: (address: number, count: number) => Promise<number[]>,
  ): Promise<KnownDevice> {
    const layout = await readLayout(read);
    const blocks = this.#wantsAll ? layout.blocks : wantedBlocks(layout, this.#required);
    const device = { layout, blocks, records: this.#recordsOf(blocks) };
    // Where its end is not known, it is looked for again.
    if (!layout.fault) this.#devices.set(unit, device);
    this.#log.info(this.#named(unit, layout.about.map(([name, text]) => `${name} ${text}`).join(', ')));
    return device;
  }

  #sourceOf(unit: number): (string | number)[] {
    const { endpoint, mode, port } = this.#target;
    return mode === 'rtu' ? [endpoint, unit] : [endpoint, port, unit];
  }

  #named(unit: number, text: string): string {
    return `${this.#client.name} unit ${unit}: ${text}`;
  }
}

/** A refusal of these registers, or silence, which is how some devices refuse. */
const isOfOneModel = (error: unknown): error is ModbusError =>
  error instanceof ModbusError &&
  (error.fault === 'timeout' || (error.exceptionCode !== null && error.exceptionCode <= 4));

function modelIds(text: string): number[] {
  return text.split(',').flatMap((item) => {
    if (item.trim() === '') return [];
    if (!/^\d+$/.test(item.trim())) throw new InputError(`required_models: "${item}" is no model number`);
    return [Number(item)];
  });
}
