import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENT_LOG_DIRECTORY } from '@albedo/contract/product';
import { PLANTS, type PlantDescription } from '@albedo/simulator/plants/plants';
import { AGENT_SLUGS, agentRoot, followHistory, shareMachine, writeService } from './agents.ts';
import { CAMERA_SLUG, Camera, followCamera } from './camera.ts';
import { Child, type ChildOptions } from './child.ts';
import { CLOUD_ENV, CLOUD_FLAGS } from './cloud-program.ts';
import { beginControl, holdControl, moveControl } from './control.ts';
import { expectHistory } from './history-progress.ts';
import { pruneArchives } from './housekeeping.ts';
import { isFree } from './ports.ts';
import { untilReady } from './readiness.ts';
import { type DemoSettings, programOf, REPOSITORY } from './settings.ts';

const READY_MS = 300_000;
const HOUR_MS = 3_600_000;
/** Control of the plants starts when live data and the last day are there. */
const LATER_MS = 20_000;
const LOOPBACK = '127.0.0.1';
/** Half the memory, at the price of more frequent collection. */
const SMALL = ['--max-old-space-size=128', '--max-semi-space-size=4'];

/** A reason not to start that one line tells. */
export class StartError extends Error {}

/** The cloud, the simulated plants, their agents and plugins, and this machine's agent, as child processes. */
export class Demo {
  readonly #settings: DemoSettings;
  readonly #say: (text: string) => void;
  /** In the order of starting; stopped in reverse, the cloud last. */
  readonly #children: Child[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #stop = new AbortController();
  readonly #ports = new Map<string, number>();
  #camera: Camera | null = null;
  /** Made by the cloud at its first start; null otherwise. */
  password: string | null = null;

  constructor(settings: DemoSettings, say: (text: string) => void) {
    this.#settings = settings;
    this.#say = say;
  }

  /** Resolves when the cloud answers and everything else has been started. Throws `StartError`. */
  async start(): Promise<void> {
    await this.#checkPorts();
    expectHistory(this.#settings.dataDir);
    const cloud = this.#child('cloud', join(REPOSITORY, 'apps/cloud/src/main.ts'), [], {
      nodeArgs: [...CLOUD_FLAGS],
      env: { ...CLOUD_ENV, ALBEDO_DEMO: '1' },
      onLine: (line) => {
        this.password = /First owner: \S+, password (\S+)/.exec(line)?.[1] ?? this.password;
      },
    });
    cloud.start();
    const simulator = this.#startSimulator();
    await this.#ready(cloud);
    await simulator;
    for (const slug of AGENT_SLUGS) this.#startAgent(slug);
    for (const plant of PLANTS) this.#startService(plant.slug);
    this.#startHistory(Math.ceil(Date.now() / 1000) * 1000);
    this.#timers.push(
      setTimeout(() => {
        for (const plant of PLANTS) this.#startControl(plant);
      }, LATER_MS),
    );
    this.#startCamera();
    this.#timers.push(setInterval(() => this.#prune(), HOUR_MS).unref());
    this.#prune();
  }

  /** Stops the children, those that make data first and the cloud last. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#camera?.stop();
    const [cloud, ...others] = this.#children;
    await Promise.all(others.map((child) => child.stop()));
    await cloud?.stop();
  }

  async #checkPorts(): Promise<void> {
    const { host, port, mqttPort, isBrokerServed } = this.#settings;
    if (port > 0 && !(await isFree(host, port))) throw taken('ALBEDO_PORT', port);
    if (!isBrokerServed && mqttPort > 0 && !(await isFree('0.0.0.0', mqttPort))) {
      throw taken('ALBEDO_MQTT_PORT', mqttPort);
    }
  }

  async #ready(cloud: Child): Promise<void> {
    const { host, port } = this.#settings;
    const reachable = host === '0.0.0.0' || host === '::' ? LOOPBACK : host;
    const tooLong = AbortSignal.timeout(READY_MS);
    const wait = AbortSignal.any([this.#stop.signal, tooLong]);
    const ended = cloud.exited().then((code) => {
      throw new StartError(cloud.lastErrors.join('\n') || `the cloud ended with code ${code}`);
    });
    ended.catch(() => {});
    const ready = untilReady(`http://${reachable}:${port}/readyz`, wait).catch((error) => {
      if (!tooLong.aborted) throw error;
      throw new StartError(
        `the cloud was not ready within ${READY_MS / 1000} s; start again when this machine has less to do`,
      );
    });
    await Promise.race([ready, ended]);
    cloud.keepAlive();
  }

  #startSimulator(): Promise<void> {
    const plants = PLANTS.flatMap((plant) => ['--plant', plant.slug, '--port', '0']);
    const args = [...plants, '--writable', join(this.#settings.dataDir, 'demo/plants')];
    return new Promise((resolve) => {
      const simulator = this.#child(
        'simulator',
        join(REPOSITORY, 'apps/simulator/src/main.ts'),
        ['serve', ...args],
        {
          onLine: (line) => {
            const [slug = '', port = ''] = line.split(' ');
            const known = this.#ports.get(slug);
            this.#ports.set(slug, Number(port));
            // A simulator that began again has other ports, and the services must learn them.
            if (known !== undefined && known !== Number(port)) void this.#moveService(slug);
            if (this.#ports.size === PLANTS.length) resolve();
          },
        },
      );
      simulator.start();
      simulator.keepAlive();
    });
  }

  #startAgent(slug: string): void {
    const root = agentRoot(this.#settings.dataDir, slug);
    if (PLANTS.some((plant) => plant.slug === slug)) {
      followHistory(root);
      shareMachine(root);
    }
    if (slug === CAMERA_SLUG) followCamera(root);
    holdControl(root);
    const program = programOf('apps/agent', 'agent.mjs');
    // As its pack starts it.
    const agent = this.#child(`agent-${slug}`, program, ['run', '--root', root], {
      nodeArgs: ['--max-semi-space-size=1', '--max-old-space-size=64'],
      env: { MALLOC_ARENA_MAX: '1' },
    });
    agent.start();
    agent.keepAlive();
  }

  #startService(slug: string): void {
    const plant = PLANTS.find((one) => one.slug === slug);
    const port = this.#ports.get(slug);
    if (!plant || port === undefined) return;
    const file = writeService(agentRoot(this.#settings.dataDir, slug), plant, LOOPBACK, port);
    const program = programOf('plugins/sunspec', 'sunspec_albedo.mjs');
    // Days of the plant's files begin at the plant's own midnight.
    const env = { TZ: plant.site.timezone };
    const service = this.#child(`sunspec-${slug}`, program, ['service', file], { env });
    service.start();
    service.keepAlive();
  }

  #startControl(plant: PlantDescription): void {
    const port = this.#ports.get(plant.slug);
    if (port === undefined) return;
    beginControl(agentRoot(this.#settings.dataDir, plant.slug), plant, LOOPBACK, port);
  }

  async #moveService(slug: string): Promise<void> {
    moveControl(agentRoot(this.#settings.dataDir, slug), this.#ports.get(slug) ?? 0);
    const index = this.#children.findIndex((child) => child.name === `sunspec-${slug}`);
    const [service] = index < 0 ? [] : this.#children.splice(index, 1);
    await service?.stop();
    if (service && !this.#stop.signal.aborted) this.#startService(slug);
  }

  #startCamera(): void {
    const plant = PLANTS.find(({ slug }) => slug === CAMERA_SLUG);
    if (!plant) return;
    this.#camera = new Camera(agentRoot(this.#settings.dataDir, CAMERA_SLUG), plant);
    this.#camera.start();
  }

  #startHistory(liveFrom: number): void {
    const plants = PLANTS.flatMap((plant) => ['--plant', plant.slug]);
    const history = this.#child(
      'history',
      fileURLToPath(new URL('history.ts', import.meta.url)),
      ['--data', this.#settings.dataDir, '--live-from', String(liveFrom), ...plants],
      { nodeArgs: SMALL },
    );
    history.start();
    history.keepAlive();
  }

  #child(
    name: string,
    program: string,
    args: string[],
    more: Pick<ChildOptions, 'env' | 'nodeArgs' | 'onLine'> = {},
  ): Child {
    const logDir = join(this.#settings.dataDir, 'demo/logs');
    const child = new Child({
      name,
      program,
      args,
      logDir,
      onRestart: (reason, pauseMs) =>
        this.#say(
          `${name} ended (${reason}) and begins again in ${pauseMs / 1000} s; see ${join(logDir, name)}.log`,
        ),
      ...more,
    });
    this.#children.push(child);
    return child;
  }

  #prune(): void {
    for (const slug of AGENT_SLUGS) {
      const logs = join(agentRoot(this.#settings.dataDir, slug), AGENT_LOG_DIRECTORY);
      if (existsSync(logs)) pruneArchives(logs, Date.now());
    }
  }
}

const taken = (variable: string, port: number) =>
  new StartError(
    `Port ${port} is taken by another program; choose another one, as in ${variable}=${port + 1} npm start`,
  );
