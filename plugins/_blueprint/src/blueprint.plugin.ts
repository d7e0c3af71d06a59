import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { parseBusAddresses } from '@albedo/plugin-kit/command-line/bus-addresses';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import type { Plugin, Reader } from '@albedo/plugin-kit/plugin';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';

export const blueprintPlugin: Plugin = {
  name: 'blueprint_albedo',
  summary: 'Reads the temperature sensors of a Linux board.',
  positionals: ['folder', 'zones'],
  options: {
    offset: { kind: 'decimal', default: 0, help: 'added to every temperature, K' },
  },
  package: {
    name: 'blueprint',
    title: 'Board temperatures',
    labels: ['management'],
    uses: { paths: [] },
    arguments: { folder: { default: '/sys/class/thermal' }, zones: { default: '0-3' } },
  },
  open: (args) => new TemperatureReader(args),
};

class TemperatureReader implements Reader {
  readonly #folder: string;
  readonly #zones: number[];
  readonly #offsetK: number;

  constructor(args: Arguments) {
    this.#folder = args.text('folder');
    this.#zones = parseBusAddresses(args.text('zones'));
    this.#offsetK = args.number('offset');
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    for (const zone of this.#zones) {
      if (signal.aborted) return;
      try {
        yield await this.#readZone(zone, signal);
      } catch (error) {
        failed(new Error(`zone ${zone}: ${messageOf(error)}`));
      }
    }
  }

  /** Nothing stays open between two readings. */
  async close(): Promise<void> {}

  /** Source: Documentation/driver-api/thermal/sysfs-api.rst of Linux; `temp` is in thousandths of a degree. */
  async #readZone(zone: number, signal: AbortSignal): Promise<PluginRecord> {
    const read = async (name: string) =>
      (await readFile(join(this.#folder, `thermal_zone${zone}`, name), { encoding: 'utf8', signal })).trim();
    const [kind, milliC] = [await read('type'), Number(await read('temp'))];
    return {
      table: 'board',
      source: ['thermal', zone],
      about: [['Sensor', kind]],
      columns: [{ name: 'Temperature', type: 'decimal', units: '°C' }],
      values: [Number.isFinite(milliC) ? milliC / 1000 + this.#offsetK : null],
    };
  }
}
