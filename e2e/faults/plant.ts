import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Completeness, GapCause } from '@albedo/contract/completeness/completeness.schema';
import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import { unpackDataFolder } from '../../apps/cloud/src/testing/released-folder.ts';
import { OWNER as OWNER_OF_RELEASES } from '../../apps/cloud/src/testing/test-cloud.ts';
import { freePort } from '../../scripts/testing/engines.ts';
import { until } from '../harness/processes.ts';
import { Cloud, EdgeAgent } from '../harness/product.ts';
import { Wire } from '../harness/wire.ts';
import { OWNER } from '../owner.ts';

/** What was written into one table of a device, and what may have become of it. */
export interface Claim {
  device: string;
  table: string;
  /** Every value of `n` that was ever a line of a file, as often as it was one. */
  written: number[];
  /** Lines that have to be in the quarantine; not looked at where it is left out. */
  setAside?: number;
  /** Causes of which at least one explains what is missing; empty: nothing may be missing. */
  causes?: GapCause[];
  /** A gap of one of the causes has to be told even where all the values are there. */
  isTold?: boolean;
  /** Nothing may be missing, whatever gaps are told. */
  isWhole?: boolean;
  /** What was read twice after an older state came back is stored twice (decision 22). */
  mayRepeat?: boolean;
}

/** A device with an agent as a process of its own, on a wire of its own, that follows files. */
export interface Edge {
  agent: EdgeAgent;
  wire: Wire;
  /** Adds lines with the numbers `from` up to `to` to the followed file of the table, and keeps count. */
  write(table: string, from: number, to: number): void;
  written(table: string): number[];
  file(table: string): string;
  /** Waits until so many events of the table are stored, by the ledger. */
  stored(table: string, events: number): Promise<void>;
  start(): void;
  kill(): Promise<void>;
}

export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

/** One cloud, and devices that come and go; everything in a folder of its own. */
export class Plant {
  readonly folder = mkdtempSync(join(tmpdir(), 'albedo-faults-'));
  readonly data = join(this.folder, 'data');
  readonly edges: Edge[] = [];
  cloud!: Cloud;
  wg = '';
  #mqttPort = 0;
  #person: { email: string; password: string } = OWNER;

  /** Compiled once for all programs, which start and end often here. */
  get #env(): Record<string, string> {
    return { NODE_COMPILE_CACHE: join(this.folder, 'compiled') };
  }

  /** On a fresh folder, or on a copy of the one that an earlier release has left. */
  async open(release: string | null = null): Promise<void> {
    if (release) await unpackDataFolder(release, this.data);
    this.#person = release ? OWNER_OF_RELEASES : OWNER;
    this.#mqttPort = await freePort();
    const ports = { httpPort: await freePort(), mqttPort: this.#mqttPort };
    this.cloud = new Cloud({ data: this.data, ...ports, env: this.#env });
    await this.start();
    const [workgroup] = await this.cloud.api.call(workgroupsApi.list, {});
    if (!workgroup) throw new Error('The owner has no workgroup.');
    this.wg = workgroup.name;
  }

  /** Starts the cloud, again too, and signs in. */
  async start(): Promise<void> {
    await this.cloud.start();
    await this.cloud.api.signIn(this.#person.email, this.#person.password);
  }

  /** A device that follows one file for each table; a table that begins with `dyn` has a folder with `latest.csv` instead. */
  async edge(name: string, tables: string[], env: Record<string, string> = {}): Promise<Edge> {
    const wire = await Wire.to(this.#mqttPort);
    const agent = await EdgeAgent.install(this.cloud, this.wg, name, this.folder, { ...this.#env, ...env });
    const edge = this.#follow(agent, wire, tables);
    this.edges.push(edge);
    return edge;
  }

  /** Another machine with a copy of a disk; `root` is where the copy lies. */
  twin(of: Edge, root: string, env: Record<string, string> = {}): Edge {
    const agent = new EdgeAgent(of.agent.device, root, { ...this.#env, ...env });
    const edge = this.#handle(agent, of.wire);
    this.edges.push(edge);
    return edge;
  }

  ledger(device: string): Promise<Completeness> {
    return this.cloud.completeness(this.wg, device);
  }

  async close(): Promise<void> {
    await Promise.all(this.edges.map(({ agent }) => agent.program.end('SIGKILL')));
    for (const { wire } of this.edges) wire.close();
    await this.cloud?.program.end('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  #follow(agent: EdgeAgent, wire: Wire, tables: string[]): Edge {
    const config = join(agent.root, 'etc/albedo/albedo.yaml');
    const tails = tables
      .filter((table) => !table.startsWith('dyn'))
      .map(
        (table) =>
          `  - {table: ${table}, source: s, file: /log/${table}.log, expect: csv, from: start, fields: [{name: n, expect: integer}]}`,
      );
    const port = readFileSync(config, 'utf8').replace(/^(\s*port:).*$/m, `$1 ${wire.port}`);
    writeFileSync(
      config,
      `${port}\nmachine: false\n${tails.length > 0 ? `tail:\n${tails.join('\n')}\n` : ''}`,
    );
    mkdirSync(join(agent.root, 'log'), { recursive: true });
    return this.#handle(agent, wire);
  }

  #handle(agent: EdgeAgent, wire: Wire): Edge {
    const counts = new Map<string, number[]>();
    const fileOf = (table: string) =>
      table.startsWith('dyn')
        ? join(agent.root, 'opt/albedo/logs', table, 's/latest.csv')
        : join(agent.root, 'log', `${table}.log`);
    return {
      agent,
      wire,
      file: fileOf,
      write: (table, from, to) => {
        mkdirSync(dirname(fileOf(table)), { recursive: true });
        const numbers = range(from, to);
        appendFileSync(fileOf(table), numbers.map((n) => `${lineOf(table, n)}\n`).join(''));
        counts.set(table, [...(counts.get(table) ?? []), ...numbers]);
      },
      written: (table) => counts.get(table) ?? [],
      stored: async (table, events) => {
        let ledger: Completeness | null = null;
        await until(
          `${events} events of ${agent.device.name}.${table} are stored`,
          // Other programs may need the machine at the same time.
          300,
          async () => {
            ledger = await this.ledger(agent.device.id);
            const stream = ledger.streams.find((one) => one.table === table);
            return (stream?.stored ?? 0) >= events;
          },
          () => `${JSON.stringify(ledger, null, 1)}\n${this.cloud.program.output}\n${agent.program.output}`,
        );
      },
      start: () => agent.program.start(),
      kill: async () => {
        await agent.program.end('SIGKILL');
      },
    };
  }
}

/** Files with a header have a time in each line, the others do not. */
export const DYNAMIC_HEADER = '# Datetime(date),n(integer)';
const FIRST = Date.parse('2024-03-01T00:00:00Z');
export const lineOf = (table: string, n: number): string =>
  table.startsWith('dyn') ? `${new Date(FIRST + n * 1000).toISOString()},${n}` : String(n);
