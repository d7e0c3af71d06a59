import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { plainText } from '@albedo/plugin-kit/fields/field-value';
import type { Plugin, Reader } from '@albedo/plugin-kit/plugin';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import {
  WIRE_LOOKS,
  WIRE_OPTIONS,
  WIRE_USES,
  type WireTarget,
  wireName,
  wireTarget,
  withWire,
} from '@albedo/plugin-kit/wires/wire';
import { sentencesIn } from './sentences.ts';
import { type NamedField, weatherValues } from './weather-values.ts';

/** Lines as NMEA 0183 has them, and the port that converters and servers of it have. */
const USUAL = { port: 10_110, baudRate: 4800, parity: 'none', dataBits: 8 } as const;
/** Characters of one listening at most. */
const MOST = 200_000;

export const weatherPlugin: Plugin = {
  name: 'weather_albedo',
  summary: 'Reads weather stations that speak NMEA 0183.',
  positionals: ['endpoint'],
  options: {
    listen: {
      kind: 'decimal',
      default: 3,
      min: 0.1,
      max: 120,
      help: 'how long each reading listens, seconds',
    },
    names: {
      kind: 'text',
      default: '',
      help: 'transducers by name, such as SR1=Plane Irradiance:W/m²;T2=Module Temperature:°C',
    },
    ...WIRE_OPTIONS,
  },
  package: {
    name: 'weather',
    title: 'Weather station (NMEA 0183)',
    labels: ['weather-stations'],
    uses: WIRE_USES,
    arguments: WIRE_LOOKS,
  },
  open: (args) => new WeatherReader(args),
  browse,
};

class WeatherReader implements Reader {
  readonly #args: Arguments;
  readonly #target: WireTarget;
  readonly #names: ReadonlyMap<string, NamedField>;

  constructor(args: Arguments) {
    this.#args = args;
    this.#target = wireTarget(args, USUAL);
    this.#names = namesOf(args.text('names'));
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    const source = wireName(this.#target);
    const where = source.join('/');
    try {
      const { sentences, damaged } = sentencesIn(await heard(this.#args, signal));
      if (damaged > 0) failed(new Error(`${where}: ${damaged} damaged sentences were left out`));
      const { columns, values } = weatherValues(sentences, this.#names);
      if (columns.length === 0) throw new Error('the station has said nothing about the weather');
      yield { table: 'weather', source, columns, values };
    } catch (error) {
      failed(new Error(`${where}: ${plainText(messageOf(error)).slice(0, 300)}`));
    }
  }

  /** The line is closed after each reading. */
  async close(): Promise<void> {}
}

/** The sentences as they come, to find the names of transducers. */
async function* browse(args: Arguments, _log: unknown, signal: AbortSignal): AsyncGenerator<string> {
  for (const { kind, cells } of sentencesIn(await heard(args, signal)).sentences)
    yield plainText([kind, ...cells].join(','));
}

/** What a station sends in the time of one reading. */
async function heard(args: Arguments, stop: AbortSignal): Promise<string> {
  const over = AbortSignal.timeout(args.number('listen') * 1000);
  const signal = AbortSignal.any([stop, over]);
  let text = '';
  try {
    await withWire(wireTarget(args, USUAL), signal, async ({ stream }) => {
      for await (const chunk of stream) {
        text += (chunk as Buffer).toString('latin1');
        if (text.length > MOST) break;
      }
    });
  } catch (error) {
    // The end of its time is how each listening ends.
    if (!over.aborted || stop.aborted) throw error;
  }
  // A sentence that is still under way is one of the next reading.
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** Throws `InputError`. */
function namesOf(text: string): ReadonlyMap<string, NamedField> {
  const names = new Map<string, NamedField>();
  for (const entry of text.split(';').map((one) => one.trim())) {
    if (entry === '') continue;
    const [, transducer = '', name = '', units = ''] = /^([^=]+)=([^:]+)(?::(.*))?$/.exec(entry) ?? [];
    if (transducer === '')
      throw new InputError(`names: "${entry.slice(0, 80)}" is not of the form SR1=Plane Irradiance:W/m²`);
    names.set(transducer.trim(), { name: name.trim(), units: units.trim() });
  }
  return names;
}
