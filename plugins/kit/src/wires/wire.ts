import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { SerialPort } from 'serialport';
import type { Arguments, Option } from '../command-line/arguments.ts';
import { InputError } from '../command-line/input-error.ts';
import type { ArgumentLook } from '../package-facts.ts';

/** A serial line, or TCP where a converter serves one. */
export interface WireTarget {
  /** A node such as `/dev/ttyUSB0`, an address or a name. */
  endpoint: string;
  /** Of TCP. */
  port: number;
  baudRate: number;
  parity: 'none' | 'even' | 'odd';
  dataBits: 7 | 8;
}

export interface Wire {
  stream: Duplex;
  /** Of a serial line; a converter goes by its own settings. */
  setBaudRate(baudRate: number): Promise<void>;
  close(): void;
}

/** Where serial lines are. */
export const WIRE_USES: { devices: string[]; paths: string[] } = {
  devices: ['char-ttyS', 'char-ttyUSB', 'char-ttyACM'],
  paths: [],
};

/** Options of plugins that read such a wire; a speed of 0 is the usual one of the protocol. */
export const WIRE_OPTIONS = {
  port: { kind: 'integer', default: 0, min: 0, max: 65_535, help: 'TCP port of a converter' },
  baud: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 4_000_000,
    help: 'speed of a serial line, bits a second',
  },
  parity: {
    kind: 'choice',
    options: ['auto', 'none', 'even', 'odd'],
    default: 'auto',
    help: 'of a serial line',
  },
  data_bits: { kind: 'integer', default: 0, min: 0, max: 8, help: 'of a serial line, 7 or 8' },
} as const satisfies Record<string, Option>;

export const WIRE_LOOKS: Record<string, ArgumentLook> = {
  endpoint: { type: 'serial', help: 'address, host name or serial line' },
  source_map: { type: 'sourceMap', directory: '/opt/albedo/plugins-config/source-maps' },
};

/** Throws `InputError` for what no wire can be. */
export function wireTarget(args: Arguments, usual: Omit<WireTarget, 'endpoint'>): WireTarget {
  const endpoint = args.text('endpoint');
  if (!isSerial(endpoint) && !/^[\w.:-]+$/.test(endpoint))
    throw new InputError(`endpoint: "${endpoint.slice(0, 200)}" is no serial node, address or name`);
  const bits = args.number('data_bits') || usual.dataBits;
  if (bits !== 7 && bits !== 8) throw new InputError(`data_bits: ${bits} is neither 7 nor 8`);
  const parity = (['none', 'even', 'odd'] as const).find((one) => one === args.text('parity'));
  return {
    endpoint,
    port: args.number('port') || usual.port,
    baudRate: args.number('baud') || usual.baudRate,
    parity: parity ?? usual.parity,
    dataBits: bits,
  };
}

const isSerial = (endpoint: string): boolean => endpoint.startsWith('/');

/** Parts of the name of what is at its end. */
export const wireName = ({ endpoint, port }: WireTarget): (string | number)[] =>
  isSerial(endpoint) ? [endpoint] : [endpoint, port];

/**
 * Opens a wire for one piece of work, and closes it after that. Its stream ends when the signal aborts. Rejects where it
 * cannot be opened, and with what the work throws.
 */
export async function withWire<T>(
  target: WireTarget,
  signal: AbortSignal,
  work: (wire: Wire) => Promise<T>,
): Promise<T> {
  const wire = await (isSerial(target.endpoint) ? openSerial : openTcp)(target, signal);
  const end = () => void wire.stream.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await work(wire);
  } finally {
    signal.removeEventListener('abort', end);
    wire.close();
  }
}

async function openTcp({ endpoint: host, port }: WireTarget, signal: AbortSignal): Promise<Wire> {
  const socket = connect({ host, port, signal });
  await once(socket, 'connect', { signal });
  // What goes wrong later is what its reader meets.
  socket.on('error', () => {});
  return { stream: socket, setBaudRate: async () => {}, close: () => void socket.destroy() };
}

async function openSerial(target: WireTarget, signal: AbortSignal): Promise<Wire> {
  const { endpoint: path, baudRate, parity, dataBits } = target;
  const line = new SerialPort({ path, baudRate, parity, dataBits, stopBits: 1, autoOpen: false });
  const settled = (work: (done: (error: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => work((error) => (error ? reject(error) : resolve())));
  await settled((done) => line.open(done));
  line.on('error', () => {});
  if (signal.aborted) line.close(() => {});
  signal.throwIfAborted();
  return {
    stream: line,
    setBaudRate: async (next) => {
      // What is still on its way out would go at the new speed.
      await settled((done) => line.drain(done));
      await settled((done) => line.update({ baudRate: next }, done));
    },
    close: () => void (line.isOpen && line.close(() => {})),
  };
}
