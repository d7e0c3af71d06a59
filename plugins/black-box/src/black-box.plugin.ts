import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import type { Plugin, Purpose, Reader } from '@albedo/plugin-kit/plugin';
import type { Column, PluginRecord, Value } from '@albedo/plugin-kit/records/record';
import { type CpuTicks, cpuShare, MachineFacts } from './machine-facts.ts';

/** Beside the source `Black box`, which the agent itself writes while it is well. */
const SOURCE = 'Standalone';
/** Between two looks at the processors, where there was none before, ms. */
const LOOK_MS = 1000;
const CONNECT_MS = 4000;
/** What every router has open or refuses; both answers say that it is there. */
const ROUTER_PORT = 53;

export const blackBoxPlugin: Plugin = {
  name: 'black_box_albedo',
  summary: 'Writes down how this device itself is doing, also while the agent is not well.',
  positionals: [],
  options: {
    broker: {
      kind: 'text',
      default: '',
      help: 'where the agent connects to, such as cloud.example.org:8883',
    },
    disk: { kind: 'text', default: '/', help: 'a folder of the disk that is looked at' },
  },
  package: {
    name: 'black-box',
    title: 'Black box',
    labels: ['management'],
    arguments: { source_map: { type: 'sourceMap', directory: '/opt/albedo/plugins-config/source-maps' } },
  },
  open: (args, _log, purpose) => new BlackBoxReader(args, purpose, new MachineFacts()),
};

/** Names as people know them from the field. Source: the black box's fields of the edge reference. */
const COLUMNS: Column[] = [
  { name: 'CPU usage', type: 'decimal', units: '%' },
  { name: 'MEM usage', type: 'decimal', units: '%' },
  { name: 'SWAP usage', type: 'decimal', units: '%' },
  { name: 'DISK usage', type: 'decimal', units: '%' },
  { name: 'Broker connection', type: 'keyword' },
  { name: 'Gateway connection', type: 'keyword' },
  { name: 'Albedo running', type: 'keyword' },
  { name: 'Albedo PID', type: 'integer' },
  { name: 'Timezone', type: 'keyword' },
  { name: 'CPU temp', type: 'decimal', units: '°C' },
  { name: 'Uptime', type: 'decimal', units: 'h' },
  { name: '5 Minute Weighted Load Average', type: 'decimal' },
];

export class BlackBoxReader implements Reader {
  readonly #facts: MachineFacts;
  readonly #broker: { host: string; port: number } | null;
  readonly #disk: string;
  readonly #purpose: Purpose;
  #ticks: CpuTicks | null;

  constructor(args: Arguments, purpose: Purpose, facts: MachineFacts) {
    this.#facts = facts;
    this.#broker = placeOf(args.text('broker'));
    this.#disk = args.text('disk');
    this.#purpose = purpose;
    this.#ticks = purpose === 'service' ? facts.cpu() : null;
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    const cpu = await this.#cpu(signal);
    const disk = await this.#diskShare().catch((error: Error) => {
      failed(new Error(`disk: ${error.message}`));
      return null;
    });
    const { memory, swap } = this.#facts.memory();
    const pid = this.#facts.processWith(['agent.mjs', 'run']) ?? this.#facts.processWith(['albedo', 'run']);
    const uptimeS = this.#facts.uptimeS();
    const broker = this.#broker ? await answers(this.#broker, signal) : null;
    const values: Value[] = [
      cpu,
      memory,
      swap,
      disk,
      wordOf(broker),
      // Only who cannot reach the far end asks how far it gets.
      wordOf(broker === false ? await this.#reachesGateway(signal) : null),
      pid === null ? 'False' : 'True',
      pid,
      Intl.DateTimeFormat().resolvedOptions().timeZone,
      this.#facts.temperature(),
      uptimeS === null ? null : Number((uptimeS / 3600).toFixed(2)),
      this.#facts.load(),
    ];
    yield { table: 'black_box', source: [SOURCE], columns: COLUMNS, values };
  }

  async close(): Promise<void> {}

  /** Since the reading before; alone, over a second. */
  async #cpu(signal: AbortSignal): Promise<number | null> {
    if (this.#purpose === 'once') {
      this.#ticks = this.#facts.cpu();
      await sleep(LOOK_MS, undefined, { signal });
    }
    const [before, now] = [this.#ticks, this.#facts.cpu()];
    this.#ticks = now;
    return before && now ? cpuShare(before, now) : null;
  }

  async #diskShare(): Promise<number | null> {
    const { blocks, bfree, bavail } = await statfs(this.#disk);
    const used = blocks - bfree;
    // As df counts: what only root may use is not free.
    return used + bavail > 0 ? Number(((used / (used + bavail)) * 100).toFixed(1)) : null;
  }

  async #reachesGateway(signal: AbortSignal): Promise<boolean | null> {
    const host = this.#facts.gateway();
    return host === null ? null : answers({ host, port: ROUTER_PORT }, signal, true);
  }
}

const wordOf = (reached: boolean | null): string =>
  reached === null ? 'no attempt' : reached ? 'good' : 'failed';

function placeOf(text: string): { host: string; port: number } | null {
  if (text === '') return null;
  const [, host, port] = /^([A-Za-z0-9][\w.-]*):(\d{1,5})$/.exec(text) ?? [];
  if (!host || Number(port) > 65_535) throw new InputError(`broker: "${text}" is not of the form host:8883`);
  return { host, port: Number(port) };
}

/** Whether somebody is there. `orRefuses`: a refusal is an answer too. */
function answers(
  place: { host: string; port: number },
  signal: AbortSignal,
  orRefuses = false,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...place, signal });
    const end = (reached: boolean) => {
      socket.destroy();
      resolve(reached);
    };
    socket.setTimeout(CONNECT_MS, () => end(false));
    socket.on('connect', () => end(true));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => end(orRefuses && code === 'ECONNREFUSED'));
  });
}
