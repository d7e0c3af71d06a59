import { isIP } from 'node:net';
import type { Arguments, Option } from '../command-line/arguments.ts';
import { InputError } from '../command-line/input-error.ts';
import type { ArgumentLook } from '../package-facts.ts';
import type { ModbusManners, ModbusTarget } from './modbus-client.ts';

/** Options that every plugin of the Modbus family has. */
export const MODBUS_OPTIONS = {
  port: { kind: 'integer', default: 502, help: 'TCP port of the device or gateway' },
  mode: {
    kind: 'text',
    default: '',
    help: 'tcp, rtu or enc (RTU within TCP); by default what the endpoint is',
  },
  baud: { kind: 'integer', default: 9600, help: 'speed of a serial line, bits a second' },
  parity: { kind: 'text', default: 'none', help: 'none, even or odd' },
  data_bits: { kind: 'integer', default: 8, help: '7 or 8' },
  stop_bits: { kind: 'integer', default: 1, help: '1 or 2' },
  attempts: { kind: 'integer', default: 1, help: 'tries for each request' },
  delay: { kind: 'decimal', default: 0.05, help: 'pause before each request, seconds' },
  timeout: { kind: 'decimal', default: 1, help: 'longest wait for an answer, seconds' },
  serial_lock: {
    kind: 'flag',
    help: 'only one process at a time uses the endpoint; always so on a serial line',
  },
  any_transaction_id: {
    kind: 'flag',
    help: 'TCP: takes answers with any transaction id, for gateways that count for themselves',
  },
  stop_on_any_command_fail: { kind: 'flag', help: 'the first failed read ends the run' },
} as const satisfies Record<string, Option>;

/** Serial lines, as systemd calls them. */
export const SERIAL_DEVICES = ['char-ttyS', 'char-ttyUSB', 'char-ttyACM'];

/** How people are asked for them. */
export const MODBUS_LOOKS: Record<string, ArgumentLook> = {
  endpoint: { type: 'serial', help: 'address, host name or serial line' },
  bus_addresses: { default: '1', help: 'such as 1-4,6' },
  mode: { type: 'choice', options: ['tcp', 'rtu', 'enc'] },
  parity: { type: 'choice', options: ['none', 'even', 'odd'] },
  source_map: { type: 'sourceMap', directory: '/opt/albedo/plugins-config/source-maps' },
};

/** Throws `InputError` for a value that no line can have. */
export function modbusTarget(args: Arguments): ModbusTarget {
  const endpoint = args.text('endpoint');
  const isSerial = endpoint.startsWith('/') || /^COM\d+$/i.test(endpoint);
  if (!isSerial && isIP(endpoint) === 0 && !/^[\w.-]+$/.test(endpoint)) {
    throw new InputError(`endpoint: "${endpoint}" is no serial node, address or name`);
  }
  return {
    endpoint,
    port: within(args, 'port', 1, 65_535),
    mode: oneOf(args, 'mode', ['tcp', 'rtu', 'enc']) ?? (isSerial ? 'rtu' : 'tcp'),
    baudRate: within(args, 'baud', 50, 4_000_000),
    parity: oneOf(args, 'parity', ['none', 'even', 'odd']) ?? 'none',
    dataBits: within(args, 'data_bits', 7, 8) as 7 | 8,
    stopBits: within(args, 'stop_bits', 1, 2) as 1 | 2,
  };
}

export function modbusManners(args: Arguments): ModbusManners {
  return {
    timeoutMs: Math.max(1, args.number('timeout') * 1000),
    attempts: within(args, 'attempts', 1, 100),
    delayMs: Math.max(0, args.number('delay') * 1000),
    serialLock: args.flag('serial_lock'),
    anyTransactionId: args.flag('any_transaction_id'),
  };
}

function within(args: Arguments, name: string, lowest: number, highest: number): number {
  const value = args.number(name);
  if (value < lowest || value > highest) {
    throw new InputError(`${name}: ${value} is outside ${lowest} to ${highest}`);
  }
  return value;
}

function oneOf<const T extends string>(args: Arguments, name: string, allowed: T[]): T | null {
  const value = args.text(name);
  if (value === '') return null;
  const found = allowed.find((one) => one === value);
  if (!found) throw new InputError(`${name}: "${value}" is none of ${allowed.join(', ')}`);
  return found;
}
