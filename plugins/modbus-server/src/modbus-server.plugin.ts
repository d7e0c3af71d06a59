import { BlockList, isIP } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { readText } from '@albedo/plugin-kit/command-line/text-file';
import type { Plugin, Purpose, Reader } from '@albedo/plugin-kit/plugin';
import { type PluginRecord, sourceName } from '@albedo/plugin-kit/records/record';
import { type Latest, readLatest } from './latest-values.ts';
import { bytesOf, parseRegisterMap, type ServedValue } from './register-map.ts';
import { ModbusTcpServer } from './tcp-server.ts';

const LOGS = '/opt/albedo/logs';
/** Readings are looked at anew so often, ms. */
const REFRESH_MS = 500;

export const modbusServerPlugin: Plugin = {
  name: 'modbus_server_albedo',
  summary: 'Serves the newest readings of this device as Modbus TCP registers, for a SCADA system.',
  positionals: ['listen_address', 'config_file'],
  options: {
    port: { kind: 'integer', default: 1502, min: 1, max: 65_535, help: 'TCP port' },
    clients: {
      kind: 'text',
      default: '',
      help: 'addresses and networks that may ask, such as 10.0.0.5,10.1.0.0/16; without it all',
    },
    max_age: {
      kind: 'decimal',
      default: 300,
      min: 0.1,
      max: 1e9,
      help: 'a reading that is older counts as missing, seconds',
    },
    folder: { kind: 'text', default: '', help: 'folder of the readings; by default that of the output' },
  },
  package: {
    name: 'modbus-server',
    title: 'Modbus server',
    labels: ['modbus', 'control'],
    arguments: {
      listen_address: {
        default: '0.0.0.0',
        help: "this device's address for the SCADA system; 0.0.0.0 for all",
      },
      config_file: {
        type: 'fileContent',
        directory: '/opt/albedo/plugins-config/modbus-server',
        help: 'table, source, variable, register, format, scale: one value a line',
      },
      source_map: { type: 'sourceMap', directory: '/opt/albedo/plugins-config/source-maps' },
    },
  },
  open: (args, _log, purpose) => new ServingReader(args, purpose),
};

/** Serves all the time in a service; each reading tells how it goes. */
class ServingReader implements Reader {
  readonly #listen: { host: string; port: number };
  readonly #folder: string;
  readonly #maxAgeMs: number;
  readonly #values: ServedValue[];
  readonly #purpose: Purpose;
  readonly #server: ModbusTcpServer;
  #listening: Promise<void> | null = null;
  #registers = new Map<number, number>();
  #readAt = Number.NEGATIVE_INFINITY;
  #missing = 0;

  constructor(args: Arguments, purpose: Purpose) {
    const [file, host] = [args.text('config_file'), args.text('listen_address')];
    if (isIP(host) === 0) throw new InputError(`listen_address: "${host}" is no address`);
    this.#listen = { host, port: args.number('port') };
    this.#folder = args.text('folder') || args.text('output_directory') || LOGS;
    this.#maxAgeMs = args.number('max_age') * 1000;
    this.#values = parseRegisterMap(readText(file, 'configuration'), file);
    this.#purpose = purpose;
    this.#server = new ModbusTcpServer(() => this.#current(), clientsOf(args.text('clients')));
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    const { host, port } = this.#listen;
    if (this.#purpose === 'service') {
      try {
        this.#listening ??= this.#server.listen(host, port);
        await this.#listening;
      } catch (error) {
        this.#listening = null;
        failed(new Error(`${host}:${port}: ${messageOf(error)}`));
        await sleep(0, undefined, { signal });
        return;
      }
    }
    this.#current();
    yield {
      table: 'modbus_server',
      source: [host, port],
      columns: [
        { name: 'Requests', type: 'integer' },
        { name: 'Values', type: 'integer' },
        { name: 'Missing', type: 'integer' },
      ],
      values: [this.#server.takeRequests(), this.#values.length - this.#missing, this.#missing],
      about: this.#values.map((value) => [`Register ${value.register}`, describe(value)]),
    };
  }

  async close(): Promise<void> {
    if (this.#listening) await this.#server.close();
  }

  #current(): ReadonlyMap<number, number> {
    if (performance.now() - this.#readAt < REFRESH_MS) return this.#registers;
    this.#readAt = performance.now();
    const files = new Map<string, Latest | null>();
    const registers = new Map<number, number>();
    this.#missing = 0;
    for (const served of this.#values) {
      const path = join(this.#folder, served.table, sourceName([served.source]), 'latest.csv');
      const latest = files.get(path) ?? readLatest(path);
      files.set(path, latest);
      const isOld = latest === null || Date.now() - latest.at > this.#maxAgeMs;
      const value = isOld ? null : (latest.values.get(served.variable) ?? null);
      if (value === null) this.#missing++;
      const bytes = bytesOf(served, value);
      for (let at = 0; at < bytes.length; at += 2) {
        registers.set(served.register + at / 2, bytes.readUInt16BE(at));
      }
    }
    this.#registers = registers;
    return registers;
  }
}

const describe = ({ table, source, variable }: ServedValue) => `${table}, ${source}, ${variable}`;

function clientsOf(text: string): BlockList | null {
  if (text.trim() === '') return null;
  const list = new BlockList();
  for (const one of text.split(',').map((part) => part.trim())) {
    const [address = '', prefix] = one.split('/');
    const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const bits = Number(prefix ?? (kind === 'ipv6' ? 128 : 32));
    if (isIP(address) === 0 || !Number.isInteger(bits) || bits < 0 || bits > (kind === 'ipv6' ? 128 : 32))
      throw new InputError(`clients: "${one}" is no address and no network such as 10.1.0.0/16`);
    list.addSubnet(address, bits, kind);
  }
  return list;
}
