import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { plainText } from '@albedo/plugin-kit/fields/field-value';
import type { Plugin, Reader } from '@albedo/plugin-kit/plugin';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import { zoneOf } from '@albedo/plugin-kit/times/zones';
import {
  WIRE_LOOKS,
  WIRE_OPTIONS,
  WIRE_USES,
  type WireTarget,
  wireName,
  wireTarget,
  withWire,
} from '@albedo/plugin-kit/wires/wire';
import { askMeter } from './ask-meter.ts';
import { readingsOf } from './readings.ts';
import { subMeterReadings, subMeterRecord } from './sub-meters.ts';
import { type Telegram, TelegramFinder } from './telegram.ts';

const MODES = ['p1', 'push', 'ask'] as const;
type Mode = (typeof MODES)[number];

/** Lines as the standards have them: P1 of DSMR 4 and later; modes D and C of IEC 62056-21. */
const USUAL = {
  p1: { port: 23, baudRate: 115_200, parity: 'none', dataBits: 8 },
  push: { port: 23, baudRate: 9600, parity: 'even', dataBits: 7 },
  ask: { port: 23, baudRate: 300, parity: 'even', dataBits: 7 },
} as const satisfies Record<Mode, Omit<WireTarget, 'endpoint'>>;

export const meterPlugin: Plugin = {
  name: 'meter_albedo',
  summary: 'Reads electricity meters that send telegrams: P1 (DSMR) and IEC 62056-21 (D0).',
  positionals: ['endpoint'],
  options: {
    mode: {
      kind: 'choice',
      options: MODES,
      default: 'p1',
      help: 'p1; push: the meter sends by itself (D0); ask: it answers a request (optical head, mode C)',
    },
    address: { kind: 'text', default: '', help: 'of one meter among several on the line, where it is asked' },
    time_zone: {
      kind: 'text',
      default: 'Europe/Amsterdam',
      help: 'p1: zone of the clock of gas, water and heat meters, whose readings have their own time',
    },
    timeout: {
      kind: 'decimal',
      default: 20,
      min: 0.1,
      max: 300,
      help: 'longest wait for a telegram, seconds',
    },
    ...WIRE_OPTIONS,
  },
  package: {
    name: 'meter',
    title: 'Electricity meter',
    labels: ['electricity-meters'],
    uses: WIRE_USES,
    arguments: WIRE_LOOKS,
  },
  open: (args) => new MeterReader(args),
  browse,
};

class MeterReader implements Reader {
  readonly #target: WireTarget;
  readonly #args: Arguments;
  readonly #zone: string;
  /** When the newest reading of each other meter was made. */
  readonly #told = new Map<string, number>();

  constructor(args: Arguments) {
    this.#args = args;
    this.#zone = zoneOf(args.text('time_zone'), 'time_zone');
    this.#target = targetOf(args);
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    const name = wireName(this.#target);
    try {
      const telegram = await nextTelegram(this.#args, signal);
      const { columns, values } = readingsOf(telegram.lines);
      if (columns.length === 0) throw new Error('the telegram has no value of electricity');
      yield {
        table: 'meter',
        source: name,
        about: [['Meter', plainText(telegram.identification)]],
        columns,
        values,
      };
      for (const reading of subMeterReadings(telegram.lines, this.#zone)) {
        const record = subMeterRecord(reading, name);
        const key = record.source.join('/');
        // Telegrams repeat the last reading until there is another one.
        if (this.#told.get(key) === reading.at) continue;
        this.#told.set(key, reading.at);
        yield record;
      }
    } catch (error) {
      failed(new Error(`${name.join('/')}: ${plainText(messageOf(error)).slice(0, 300)}`));
    }
  }

  /** The line is closed after each telegram, so that nothing old waits in it. */
  async close(): Promise<void> {}
}

/** Everything that the meter says, also what is not written. */
async function* browse(args: Arguments, _log: unknown, signal: AbortSignal): AsyncGenerator<string> {
  const { identification, lines } = await nextTelegram(args, signal);
  yield `# ${plainText(identification)}`;
  for (const { channel, code, values } of lines) yield `${channel}:${code} ${plainText(values.join(' '))}`;
}

const modeOf = (args: Arguments): Mode => MODES.find((one) => one === args.text('mode')) ?? 'p1';
const targetOf = (args: Arguments): WireTarget => wireTarget(args, USUAL[modeOf(args)]);

async function nextTelegram(args: Arguments, stop: AbortSignal): Promise<Telegram> {
  const limit = AbortSignal.timeout(args.number('timeout') * 1000);
  const signal = AbortSignal.any([stop, limit]);
  try {
    return await withWire(targetOf(args), signal, async (wire) => {
      if (modeOf(args) === 'ask') return askMeter(wire, args.text('address'));
      const finder = new TelegramFinder();
      for await (const chunk of wire.stream) {
        const telegram = finder.take(chunk as Buffer);
        if (telegram) return telegram;
      }
      throw new Error('the line ended before a telegram did');
    });
  } catch (error) {
    if (limit.aborted && !stop.aborted) throw new Error('no telegram in time');
    throw error;
  }
}
