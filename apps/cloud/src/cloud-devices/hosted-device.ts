import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CLOUD_DEVICE_LIMITS } from '@albedo/contract/cloud-devices/cloud-devices.schema';
import { keeperRequest } from '@albedo/contract/cloud-devices/keeper.schema';
import { PRODUCT } from '@albedo/contract/product';
import type { Logger } from 'pino';
import { endGroup, memoryOf, spawnConfined } from './confined-process.ts';
import { type Reach, refusalOf } from './reach.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** A process that ran so long has recovered; its next pause is short again. */
const STEADY_MS = 60_000;
const STOP_MS = 9000;
/** What an agent prints is kept as its last words, characters. */
const WORDS = 2000;
/** Plugins that one device runs at the same time. */
const MAX_RUNS = 4;
const OUTPUT_BYTES = 1024 * 1024;
const KILLED = 'It was killed';

interface HostedOptions {
  root: string;
  agent: string;
  pluginOf: (name: string) => string;
  launcher: readonly string[];
  /** What it may connect to, asked before each start. */
  reach: () => Promise<Reach>;
  /** Made anew before each start: keys, network files; answers the environment. */
  prepare: () => Promise<Record<string, string>>;
  onState: (change: HostedState) => void;
  /** Whether it is still for this process to run it. */
  isKept: () => boolean;
  log: Logger;
}

export interface HostedState {
  state: 'starting' | 'running' | 'waiting' | 'stopped';
  lastEnd?: string;
  hasEnded?: boolean;
  memoryMb?: number | null;
  diskMb?: number | null;
}

/** One cloud device: its process, begun again after growing pauses, within its limits. */
export class HostedDevice {
  readonly #options: HostedOptions;
  readonly #runs = new Set<ChildProcess>();
  #child: ChildProcess | null = null;
  /** Over once the process before is gone: two would share a folder. */
  #gone: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #isWanted = false;
  /** Counts its stops: a start that was overtaken by one comes to nothing. */
  #stops = 0;
  #why: string | null = null;
  #env: Record<string, string> = {};
  #reach: Reach = { isAll: false, networks: [] };

  constructor(options: HostedOptions) {
    this.#options = options;
  }

  /** It runs, or is about to. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#pauseMs = FIRST_PAUSE_MS;
    void this.#begin();
  }

  /** Asks it to end, then insists. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    this.#stops++;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#end();
    // Who wanted it again meanwhile has said more than this.
    if (!this.#isWanted) this.#options.onState({ state: 'stopped', memoryMb: null });
  }

  /** Tells the agent that it is still kept; without that word it ends by itself. */
  kept(): void {
    if (this.#child?.connected) this.#child.send({ isKept: true }, () => {});
  }

  async restart(): Promise<void> {
    await this.stop();
    this.start();
  }

  /** Measures it, and ends it where it uses more than it may. */
  async watch(): Promise<void> {
    const memoryMb = memoryOf(this.pid);
    const diskMb = await sizeMb(this.#options.root);
    const { memoryMb: mostMemory, diskMb: mostDisk } = CLOUD_DEVICE_LIMITS;
    if (memoryMb !== null && memoryMb > mostMemory) this.#kill(`It used ${memoryMb} MB of memory`);
    else if (diskMb > mostDisk && this.#child) {
      await rm(join(this.#options.root, `opt/${PRODUCT}/logs`), { recursive: true, force: true });
      this.#kill(`Its folder took ${diskMb} MB`);
    }
    if (this.#child) this.#options.onState({ state: 'running', memoryMb, diskMb });
  }

  async #begin(): Promise<void> {
    const { root, agent, launcher, prepare, reach, onState, isKept, log } = this.#options;
    const stops = this.#stops;
    onState({ state: 'starting' });
    try {
      if (!isKept()) throw new Error('Another process may have taken it over');
      if (!existsSync(agent)) throw new Error('The agent is not built on this server');
      const env = await prepare();
      this.#env = env;
      this.#reach = await reach();
      await mkdir(join(root, 'tmp'), { recursive: true });
      await this.#gone;
      if (!this.#isWanted || stops !== this.#stops) return;
      if (!isKept()) throw new Error('Another process may have taken it over');
      const { openFiles } = CLOUD_DEVICE_LIMITS;
      const networks = this.#reach.isAll ? 'all' : this.#reach.networks.join(',');
      const args = ['run', '--root', root, `--confined=${networks}`];
      const child = spawnConfined(agent, args, { root, openFiles, launcher, env, hasChannel: true });
      this.#child = child;
      this.#follow(child);
      onState({ state: 'running' });
    } catch (error) {
      if (stops !== this.#stops) return;
      log.warn({ err: error, root }, 'a cloud device cannot start');
      this.#ended(error instanceof Error ? error.message : String(error), 0);
    }
  }

  #follow(child: ChildProcess): void {
    const beganAt = performance.now();
    const stops = this.#stops;
    this.#gone = new Promise((done) => child.once('close', () => done()));
    let words = '';
    const hear = (chunk: Buffer) => {
      words = (words + chunk.toString()).slice(-WORDS);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('message', (message) => void this.#run(child, message));
    child.once('error', (error) => hear(Buffer.from(error.message)));
    child.once('close', (code, signal) => {
      this.#child = null;
      for (const run of this.#runs) endGroup(run.pid, 'SIGKILL');
      const how = this.#why ?? (signal ? `${KILLED} (${signal})` : `It ended with code ${code}`);
      this.#why = null;
      // It was asked to: what comes next is not for its end to say.
      if (stops !== this.#stops) return;
      const last = words.trim().split('\n').at(-1) ?? '';
      this.#ended(
        code === 0 || last === '' ? how : `${how}: ${last}`.slice(0, 500),
        performance.now() - beganAt,
      );
    });
  }

  #ended(lastEnd: string, ranMs: number): void {
    if (!this.#isWanted) return;
    if (ranMs > STEADY_MS) this.#pauseMs = FIRST_PAUSE_MS;
    this.#options.onState({
      state: 'waiting',
      lastEnd: this.#asSeenInside(lastEnd),
      hasEnded: true,
      memoryMb: null,
    });
    this.#timer = setTimeout(() => void this.#begin(), this.#pauseMs);
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }

  /** Its own files by the names that it has for them; where they lie on the server is nobody's business. */
  #asSeenInside(text: string): string {
    const { root, agent } = this.#options;
    return text.replaceAll(root, '').replaceAll(agent, basename(agent));
  }

  #kill(why: string): void {
    this.#why = why;
    endGroup(this.pid, 'SIGKILL');
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((done) => child.once('close', () => done()));
    endGroup(child.pid, 'SIGTERM');
    const insist = setTimeout(() => endGroup(child.pid, 'SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(insist);
  }

  /** The device may start nothing itself: it asks for a plugin, which gets the same limits. */
  async #run(child: ChildProcess, message: unknown): Promise<void> {
    const parsed = keeperRequest.safeParse(message);
    if (!parsed.success) return;
    const { id, plugin, args, timeoutMs } = parsed.data;
    const { root, launcher, pluginOf } = this.#options;
    const answer = (of: object) => {
      if (child.connected)
        child.send({ id, stdout: '', stderr: '', returnCode: null, killed: false, error: null, ...of });
    };
    const program = pluginOf(plugin);
    const refusal =
      refusalOf(args, this.#reach) ??
      (this.#runs.size >= MAX_RUNS ? 'Too many plugins of this cloud device run at once.' : null) ??
      (existsSync(program) ? null : `The plugin ${plugin} is not built on this server.`);
    if (refusal) return answer({ error: refusal });
    const { openFiles } = CLOUD_DEVICE_LIMITS;
    const run = spawnConfined(program, args, {
      ...{ root, openFiles, launcher },
      env: this.#env,
      hasChannel: false,
    });
    this.#runs.add(run);
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      run[name]?.setEncoding('utf8').on('data', (chunk: string) => {
        if (texts[name].length < OUTPUT_BYTES) texts[name] += chunk;
      });
    let killed = false;
    const timer = setTimeout(() => {
      killed = true;
      endGroup(run.pid, 'SIGKILL');
    }, timeoutMs);
    let error: string | null = null;
    run.once('error', (thrown) => {
      error = thrown.message;
    });
    run.once('close', (returnCode) => {
      clearTimeout(timer);
      this.#runs.delete(run);
      answer({ ...texts, returnCode, killed, error });
    });
  }
}

async function sizeMb(folder: string): Promise<number> {
  let bytes = 0;
  // Files come and go while they are counted.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    if (entry.isFile())
      bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  return Math.round(bytes / 1024 / 1024);
}
