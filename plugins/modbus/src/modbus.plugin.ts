import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { parseBusAddresses } from '@albedo/plugin-kit/command-line/bus-addresses';
import { type Log, messageOf } from '@albedo/plugin-kit/command-line/log';
import { readText } from '@albedo/plugin-kit/command-line/text-file';
import { ModbusClient, type ModbusTarget } from '@albedo/plugin-kit/modbus/modbus-client';
import {
  MODBUS_LOOKS,
  MODBUS_OPTIONS,
  modbusManners,
  modbusTarget,
  SERIAL_DEVICES,
} from '@albedo/plugin-kit/modbus/modbus-options';
import type { Plugin, Reader } from '@albedo/plugin-kit/plugin';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import { type ConfigFile, parseConfigFile } from './config-file.ts';
import type { Item } from './item.ts';
import { itemValue, type Registers } from './item-value.ts';

export const modbusPlugin: Plugin = {
  name: 'modbus_albedo',
  summary: 'Reads any Modbus device as a configuration file describes it.',
  positionals: ['endpoint', 'bus_addresses', 'config_file'],
  options: MODBUS_OPTIONS,
  package: {
    name: 'modbus',
    title: 'Modbus',
    labels: ['modbus', 'plc'],
    uses: { devices: SERIAL_DEVICES, paths: [] },
    arguments: {
      ...MODBUS_LOOKS,
      config_file: {
        type: 'fileContent',
        directory: '/opt/albedo/plugins-config/modbus',
        help: 'first what is asked: _cmd, mbpoll -m {TCP_RTU} -t 4 -r 40071 -c 42 {ENDPOINT}; then a line each: table, source, variable, register, registers, type, units, scale, access, lookup, others, bit, not measured; such as solar, , AC Power, 40085, 1, dec, W, , RO',
      },
    },
  },
  open: (args, log) => new ModbusReader(args, log),
};

class ModbusReader implements Reader {
  readonly #target: ModbusTarget;
  readonly #client: ModbusClient;
  readonly #units: number[];
  readonly #config: ConfigFile;
  readonly #stopsAtFailure: boolean;
  readonly #log: Log;

  constructor(args: Arguments, log: Log) {
    const file = args.text('config_file');
    this.#target = modbusTarget(args);
    this.#client = new ModbusClient(this.#target, modbusManners(args));
    this.#units = parseBusAddresses(args.text('bus_addresses'), 0, 255);
    this.#config = parseConfigFile(readText(file, 'configuration'), file);
    this.#stopsAtFailure = args.flag('stop_on_any_command_fail');
    this.#log = log;
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    try {
      for (const unit of this.#units) {
        const registers: Registers = new Map();
        for (const command of this.#config.commands) {
          try {
            await this.#fetch(command, unit, registers, signal);
          } catch (error) {
            failed(error instanceof Error ? error : new Error(messageOf(error)));
            if (this.#stopsAtFailure || signal.aborted) return;
          }
        }
        yield* this.#records(unit, registers);
      }
    } finally {
      await this.#client.rest();
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #fetch(command: ConfigFile['commands'][number], unit: number, into: Registers, signal: AbortSignal) {
    const { kind, address, count, firstNumber, isLowWordFirst } = command;
    const values = await this.#client.read(command.unit ?? unit, kind, address, count, signal);
    this.#log.debug(`${this.#client.name}: ${kind} ${address}: ${values.join(' ')}`);
    for (const [index, value] of values.entries()) into.set(firstNumber + index, { value, isLowWordFirst });
  }

  /** One record for each table and source; none for a source where nothing could be read. */
  #records(unit: number, registers: Registers): PluginRecord[] {
    const groups = new Map<string, { items: Item[]; table: string; source: (string | number)[] }>();
    for (const item of this.#config.items) {
      if (item.isIgnored) continue;
      const source = this.#sourceOf(item, unit);
      const key = [item.table, ...source].join('\n');
      const group = groups.get(key) ?? { items: [], table: item.table, source };
      group.items.push(item);
      groups.set(key, group);
    }
    return [...groups.values()].flatMap(({ items, table, source }) => {
      // Registers that say "not measured" are an answer: its cells are empty, but the machine was there.
      if (!items.some((item) => registers.has(item.register))) return [];
      const values = items.map((item) => itemValue(item, registers));
      return [{ table, source, columns: items.map((item) => item.column), values }];
    });
  }

  #sourceOf({ source }: Item, unit: number): (string | number)[] {
    const { endpoint, port, mode } = this.#target;
    if (source === '') return mode === 'rtu' ? [endpoint, unit] : [endpoint, port, unit];
    const name = source
      .replaceAll('{ENDPOINT}', endpoint)
      .replaceAll('{PORT}', String(port))
      .replaceAll('{BUS_ADDRESS}', String(unit));
    // Several devices must not write into one file.
    return this.#units.length > 1 && !source.includes('{BUS_ADDRESS}') ? [name, unit] : [name];
  }
}
