import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestCloud } from '@albedo/agent/testing/test-cloud';
import { ModbusClient } from '@albedo/plugin-kit/modbus/modbus-client';
import { findPlant } from '@albedo/simulator/plants/plants';
import { beginControl } from '../control.ts';
import { programOf, REPOSITORY } from '../settings.ts';

/** Sun at hilltop. */
const SUNNY = Date.UTC(2026, 2, 6, 10);
/** Where model 123 of a hilltop inverter has its limit, from its id on. Source: model_123.json of sunspec/models. */
const LIMIT_AT = 5;
const ENABLE_AT = 9;
const START = 40_000;

interface Block {
  address: number;
  id: number;
}

/** A cloud, an agent with its control plugin, and a simulated plant, each a process that a test can kill. */
export class ControlledSite {
  readonly cloud = new TestCloud();
  readonly root = mkdtempSync(join(tmpdir(), 'albedo-controlled-'));
  readonly #slugs: readonly string[];
  readonly #beganAt = Date.now();
  readonly ports = new Map<string, number>();
  readonly #clients = new Map<string, ModbusClient>();
  readonly #blocks = new Map<string, Block[]>();
  readonly #never = new AbortController().signal;
  #agent: ChildProcess | null = null;
  #simulator: ChildProcess | null = null;

  constructor(slugs: readonly string[] = ['hilltop']) {
    this.#slugs = slugs;
  }

  /** Resolves when the plugin has looked at its inverters. */
  async start(): Promise<void> {
    await this.cloud.start();
    await this.cloud.provision(this.root, 'machine: false');
    await this.startPlant();
    const [slug = ''] = this.#slugs;
    beginControl(this.root, findPlant(slug), '127.0.0.1', this.ports.get(slug) ?? 0);
    this.startAgent();
    await this.untilControlled();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    await Promise.all([end(this.#agent, 'SIGTERM'), end(this.#simulator, 'SIGTERM')]);
    await this.cloud.remove();
    rmSync(this.root, { recursive: true, force: true });
  }

  startAgent(): void {
    this.#agent = this.#run(programOf('apps/agent', 'agent.mjs'), ['run', '--root', this.root]);
    this.#agent.stdout?.resume();
  }

  /** On the ports that it had before, at the time that it is there by now. */
  async startPlant(): Promise<void> {
    const places = this.#slugs.flatMap((slug) => ['--plant', slug, '--port', `${this.ports.get(slug) ?? 0}`]);
    const start = new Date(SUNNY + Date.now() - this.#beganAt).toISOString();
    const kept = join(this.root, 'plants');
    mkdirSync(kept, { recursive: true });
    const args = ['serve', ...places, '--writable', kept, '--start', start];
    const simulator = this.#run(join(REPOSITORY, 'apps/simulator/src/main.ts'), args);
    this.#simulator = simulator;
    let served = 0;
    for await (const line of createInterface({ input: simulator.stdout as NodeJS.ReadableStream })) {
      const [slug = '', port = ''] = line.split(' ');
      this.ports.set(slug, Number(port));
      served++;
      if (served === this.#slugs.length) return;
    }
    throw new Error('the simulator ended');
  }

  async killAgent(): Promise<void> {
    // Its plugin is gone with it.
    const plugin = this.pluginPid();
    await end(this.#agent, 'SIGKILL');
    while (plugin !== null && isAlive(plugin)) await sleep(10);
  }

  /** The agent begins it again. */
  async killPlugin(): Promise<void> {
    const plugin = this.pluginPid();
    if (plugin === null) throw new Error('no plugin runs');
    process.kill(plugin, 'SIGKILL');
    while (isAlive(plugin)) await sleep(10);
  }

  async killPlant(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    this.#clients.clear();
    await end(this.#simulator, 'SIGKILL');
  }

  /** The child of the agent that is the plugin. */
  pluginPid(): number | null {
    const pid = this.#agent?.pid;
    if (pid === undefined) return null;
    const children = textOf(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean);
    return Number(children.find((one) => textOf(`/proc/${one}/cmdline`).includes('pv_control'))) || null;
  }

  /** The plugin has told what it sees since this began. */
  async untilControlled(since = Date.now()): Promise<void> {
    const file = join(this.root, 'opt/albedo/plugins-config/pv-control/status.json');
    const toldAt = () => Number(/"at":(\d+)/.exec(textOf(file))?.[1] ?? 0);
    while (toldAt() < since) await sleep(20);
  }

  /** What an inverter is limited to by its registers, %; 100 where it is not. */
  async limitPct(slug = 'hilltop', unit = 1): Promise<number> {
    const { control } = findPlant(slug).inverter;
    const [block] = (await this.#blocksOf(slug, unit)).filter(({ id }) => id === control.model);
    if (!block) throw new Error(`${slug} cannot be limited`);
    const [limitAt, enableAt] = control.model === 123 ? [LIMIT_AT, ENABLE_AT] : [15, 14];
    const registers = await this.read(slug, unit, block.address, 16);
    return registers[enableAt] === 1 ? (registers[limitAt] ?? 0) * 10 ** control.scale.limit : 100;
  }

  /** What model 103 says, W. */
  async powerW(slug = 'hilltop', unit = 1): Promise<number> {
    const [block] = (await this.#blocksOf(slug, unit)).filter(({ id }) => id === 103);
    const [watts = 0] = await this.read(slug, unit, (block?.address ?? 0) + 14, 1);
    return watts * 10 ** findPlant(slug).inverter.scale.power;
  }

  /** Address of a point of model 123 of the first inverter. */
  async limitAddress(): Promise<number> {
    const [block] = (await this.#blocksOf('hilltop', 1)).filter(({ id }) => id === 123);
    return (block?.address ?? 0) + LIMIT_AT;
  }

  read(slug: string, unit: number, address: number, count: number): Promise<number[]> {
    return this.#client(slug).read(unit, 'holding', address, count, this.#never);
  }

  write(slug: string, unit: number, address: number, value: number): Promise<void> {
    return this.#client(slug).write(unit, address, [value], 16, this.#never);
  }

  #client(slug: string): ModbusClient {
    const client =
      this.#clients.get(slug) ??
      new ModbusClient(
        {
          endpoint: '127.0.0.1',
          port: this.ports.get(slug) ?? 0,
          mode: 'tcp',
          baudRate: 9600,
          parity: 'none',
          dataBits: 8,
          stopBits: 1,
        },
        { timeoutMs: 1000, attempts: 1, delayMs: 0, serialLock: false },
      );
    this.#clients.set(slug, client);
    return client;
  }

  async #blocksOf(slug: string, unit: number): Promise<Block[]> {
    const known = this.#blocks.get(slug);
    if (known) return known;
    const blocks: Block[] = [];
    for (let address = START + 2; ; ) {
      const [id = 0xffff, length = 0] = await this.read(slug, unit, address, 2);
      if (id === 0xffff) break;
      blocks.push({ address, id });
      address += length + 2;
    }
    this.#blocks.set(slug, blocks);
    return blocks;
  }

  #run(program: string, args: string[]): ChildProcess {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(REPOSITORY, 'node_modules/.cache/compile') };
    return spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  }
}

async function end(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not there yet, or gone.
    return '';
  }
}
