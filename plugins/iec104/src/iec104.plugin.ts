import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { readText } from '@albedo/plugin-kit/command-line/text-file';
import { type Field, fieldFileHelp, parseFieldFile } from '@albedo/plugin-kit/fields/field-file';
import { fieldRecords, filledSource } from '@albedo/plugin-kit/fields/field-records';
import type { Plugin, Purpose, Reader } from '@albedo/plugin-kit/plugin';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import { zoneOf } from '@albedo/plugin-kit/times/zones';
import type { InformationObject } from './asdu.ts';
import { keyOf, Station, type StationTarget } from './station.ts';

const ADDRESS = /^(?:(\d{1,5})\/)?(\d{1,8})$/;
const HIGHEST_ADDRESS = 0xff_ff_ff;

export const iec104Plugin: Plugin = {
  name: 'iec104_albedo',
  summary: 'Reads protection relays, substations and park controllers that speak IEC 60870-5-104.',
  positionals: ['endpoint'],
  options: {
    config_file: {
      kind: 'file',
      default: '',
      help: fieldFileHelp('relay, feeder, Power, 4001, decimal, kW. Without it all that the station has'),
    },
    port: { kind: 'integer', default: 2404, min: 1, max: 65_535, help: 'TCP port' },
    common_address: { kind: 'integer', default: 1, min: 1, max: 65_535, help: 'address of the station' },
    time_zone: {
      kind: 'text',
      default: 'utc',
      help: "zone of the station's clock: utc, local (that of this machine), or a name such as Europe/Berlin",
    },
    winter_time: { kind: 'flag', help: "the station's clock stays on winter time all year" },
    k: { kind: 'integer', default: 12, min: 1, max: 32_767, help: 'frames sent without an acknowledgement' },
    w: { kind: 'integer', default: 8, min: 1, max: 32_767, help: 'frames received without one' },
    t0: { kind: 'decimal', default: 30, min: 0.1, max: 255, help: 'longest wait for a connection, seconds' },
    t1: { kind: 'decimal', default: 15, min: 0.1, max: 255, help: 'longest wait for an answer, seconds' },
    t2: {
      kind: 'decimal',
      default: 10,
      min: 0.1,
      max: 255,
      help: 'until what came is acknowledged, seconds',
    },
    t3: {
      kind: 'decimal',
      default: 20,
      min: 0.1,
      max: 172_800,
      help: 'silence until the link is tested, seconds',
    },
    listen: {
      kind: 'decimal',
      default: 30,
      min: 0.1,
      max: 3600,
      help: 'discover and log: how long at most, seconds',
    },
  },
  package: {
    name: 'iec104',
    title: 'IEC 60870-5-104',
    labels: ['iec'],
    arguments: {
      endpoint: { help: 'address or host name' },
      config_file: { directory: '/opt/albedo/plugins-config/iec104' },
      source_map: { type: 'sourceMap', directory: '/opt/albedo/plugins-config/source-maps' },
    },
  },
  open: (args, _log, purpose) => new Iec104Reader(args, purpose),
  async *browse(args, _log, signal) {
    const station = new Station(targetOf(args));
    try {
      await station.answered(args.number('listen') * 1000, signal);
      if (station.seen.size === 0)
        throw new Error(`${args.text('endpoint')}: ${station.reason ?? 'no values'}`);
      yield '# table, source, variable, object, type, units, scale, lookup';
      yield* configLines(station);
    } finally {
      station.close();
    }
  },
};

/** Keeps its link between readings; one that ended is opened again at the next, and the station asked for all anew. */
class Iec104Reader implements Reader {
  readonly #target: StationTarget;
  readonly #purpose: Purpose;
  readonly #listenMs: number;
  #fields: Field[] | null = null;
  #station: Station | null = null;
  #hasAnswered = false;
  readonly #latest = new Map<string, InformationObject['value']>();

  constructor(args: Arguments, purpose: Purpose) {
    const file = args.text('config_file');
    this.#target = targetOf(args);
    this.#purpose = purpose;
    this.#listenMs = args.number('listen') * 1000;
    if (file !== '') this.#fields = parseFieldFile(readText(file, 'configuration'), file, checkAddress);
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    const name = `${this.#target.host}:${this.#target.port}`;
    this.#station ??= new Station(this.#target);
    const station = this.#station;
    if (!this.#hasAnswered && this.#purpose === 'once') {
      await station.answered(this.#listenMs, signal);
    }
    const { objects, lost } = station.take();
    if (lost > 0) failed(new Error(`${name}: ${lost} changes came too fast and are lost`));
    if (station.reason !== null) {
      failed(new Error(`${name}: ${station.reason}`));
      await this.close();
    } else if (this.#purpose === 'once' && objects.length === 0) {
      failed(new Error(`${name}: the station told nothing`));
    }
    if (objects.length === 0) return;
    this.#fields ??= parseFieldFile([...configLines(station)].join('\n'), 'station', checkAddress);
    yield* this.#records(objects);
  }

  async close(): Promise<void> {
    this.#station?.close();
    this.#station = null;
    this.#hasAnswered = false;
  }

  /** What came without a time is one record; what has one, a record for each instant. */
  #records(objects: InformationObject[]): PluginRecord[] {
    const now = Date.now();
    const instants = new Map<number, InformationObject[]>();
    for (const object of objects) {
      // A clock that runs ahead by more than an hour says nothing.
      const at = object.at !== null && object.at < now + 3_600_000 ? object.at : now;
      instants.set(at, [...(instants.get(at) ?? []), object]);
    }
    return [...instants]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([at, together]) => this.#changed(together).map((record) => ({ ...record, at })));
  }

  #changed(objects: InformationObject[]): PluginRecord[] {
    const keys = new Set(objects.map(keyOf));
    for (const object of objects) this.#latest.set(keyOf(object), object.value);
    const fields = this.#fields ?? [];
    const touched = new Set(
      fields
        .filter((field) => keys.has(this.#keyOf(field)))
        .map(({ table, source }) => `${table}\n${source}`),
    );
    const { host, port, commonAddress } = this.#target;
    return fieldRecords(
      fields.filter(({ table, source }) => touched.has(`${table}\n${source}`)),
      (field) => this.#latest.get(this.#keyOf(field)),
      ({ source }) =>
        filledSource(
          source,
          [host, commonAddress],
          new Map([
            ['ENDPOINT', host],
            ['PORT', String(port)],
          ]),
        ),
    );
  }

  #keyOf({ address }: Field): string {
    const [, common = String(this.#target.commonAddress), own = ''] = ADDRESS.exec(address) ?? [];
    return `${Number(common)}/${Number(own)}`;
  }
}

function* configLines({ seen }: Station): Generator<string> {
  const order = ([a]: [string, string], [b]: [string, string]) => a.localeCompare(b, 'en', { numeric: true });
  for (const [key, type] of [...seen].toSorted(order)) {
    yield `iec104, {ENDPOINT}/${key.split('/')[0]}, Object ${key.split('/')[1]}, ${key}, ${type}`;
  }
}

function checkAddress(address: string): void {
  const [, common = '1', own = ''] = ADDRESS.exec(address) ?? [];
  if (own === '' || Number(own) > HIGHEST_ADDRESS || Number(common) > 65_535) {
    throw new InputError(
      `object: "${address.slice(0, 100)}" is not of the form 4001, or 1/4001 with the station`,
    );
  }
}

function targetOf(args: Arguments): StationTarget {
  const host = args.text('endpoint');
  if (!/^[A-Za-z0-9][\w.:-]*$/.test(host)) throw new InputError(`endpoint: "${host}" is no address or name`);
  if (args.number('w') > args.number('k')) throw new InputError('w: it may not be more than k');
  const ms = (name: string) => args.number(name) * 1000;
  return {
    host,
    port: args.number('port'),
    commonAddress: args.number('common_address'),
    clock: {
      zone: zoneOf(args.text('time_zone'), 'time_zone'),
      isWinterAllYear: args.flag('winter_time'),
    },
    times: {
      t0: ms('t0'),
      t1: ms('t1'),
      t2: ms('t2'),
      t3: ms('t3'),
      k: args.number('k'),
      w: args.number('w'),
    },
  };
}
