import { join } from 'node:path';
import type { Scenario } from '@albedo/contract/devices/meta.schema';
import type { AgentConfig } from '../config/config.read.ts';
import type { RunScenario, TailScenario } from '../config/config.schema.ts';
import { type AgentVitals, MachineCapture } from '../machine/machine.capture.ts';
import type { CaptureFault } from '../outbox/faults.ts';
import type { RunningCapture, Sink } from '../outbox/sink.ts';
import type { PhotoShelf } from '../photos/photo-shelf.ts';
import type { Root } from '../root.ts';
import type { TaskLauncher } from '../tasks/task-launcher.ts';
import type { TaskLog } from '../tasks/task-log.ts';
import { DynamicTailCapture } from './dynamic-tail.capture.ts';
import { StaticLines } from './lines.ts';
import { RunCapture } from './run.capture.ts';
import { RunDirCapture } from './run-dir.capture.ts';
import { atClock } from './schedule.ts';
import { SocketCapture } from './socket.capture.ts';
import { TailCapture } from './tail.capture.ts';
import { WatchCapture } from './watch.capture.ts';
import { isFolderWatch, WatchFolderCapture } from './watch-folder.capture.ts';

export interface CapturesOptions {
  config: AgentConfig;
  root: Root;
  sink: Sink;
  report: (fault: CaptureFault) => void;
  /** Where pictures wait that are sent along. */
  photos: PhotoShelf;
  vitals: () => AgentVitals;
  /** Keeps what tasks of run folders say. */
  taskLog: TaskLog;
  /** Says how tasks of run folders are started. */
  launcher: TaskLauncher;
  /** What was found in folders changed. */
  onChange: () => void;
}

const DEFAULT_TIMEOUT_S = 60;

/** One thing to capture: two with the same key are the same, whatever else has changed around them. */
interface Wanted {
  key: string;
  make: () => RunningCapture & { scenarios?(): Scenario[] };
}

const isSamePlace = (a: TailScenario, b: TailScenario): boolean =>
  a.table === b.table && a.source === b.source && a.file === b.file;

/** Everything that the configuration captures. */
export class Captures {
  readonly #options: CapturesOptions;
  #config: AgentConfig;
  #running = new Map<string, ReturnType<Wanted['make']>>();

  constructor(options: CapturesOptions) {
    this.#options = options;
    this.#config = options.config;
  }

  start(): void {
    this.update(this.#config);
  }

  stop(): void {
    for (const one of this.#running.values()) one.stop();
    this.#running.clear();
  }

  /** Takes up another configuration: ends what it leaves out, begins what is new in it, and touches nothing else. */
  update(config: AgentConfig): void {
    this.#config = config;
    const wanted = this.#wanted();
    const keys = new Set(wanted.map(({ key }) => key));
    for (const [key, one] of this.#running) if (!keys.has(key)) one.stop();
    const before = this.#running;
    // In the order of the configuration, in which they are also reported.
    this.#running = new Map();
    for (const { key, make } of wanted) {
      const known = before.get(key);
      const one = known ?? make();
      this.#running.set(key, one);
      if (!known) one.start();
    }
  }

  /** What was found in folders, in the order of the configuration. */
  scenarios(): Scenario[] {
    return [...this.#running.values()].flatMap((one) => one.scenarios?.() ?? []);
  }

  get unreadBytes(): number {
    return [...this.#running.values()].reduce((sum, one) => sum + (one.unreadBytes?.() ?? 0), 0);
  }

  #wanted(): Wanted[] {
    const { root, sink, report, photos, vitals, taskLog, launcher, onChange } = this.#options;
    const config = this.#config;
    const all: Wanted[] = [];
    const add = (kind: string, what: object, make: Wanted['make']) => {
      const key = `${kind} ${JSON.stringify(what)}`;
      // The same entry twice captures twice, as it was written.
      const times = all.filter((one) => one.key === key || one.key.startsWith(`${key} `)).length;
      all.push({ key: times === 0 ? key : `${key} ${times + 1}`, make });
    };
    config.tail.forEach((one, at) => {
      const nth = config.tail.slice(0, at + 1).filter((other) => isSamePlace(one, other)).length;
      add('tail', one, () => new TailCapture(one, root.at(one.file), sink, report, nth));
    });
    for (const one of config.watch) {
      const watched = { file: root.at(one.file), sink, report, photos };
      add('watch', one, () =>
        isFolderWatch(one) ? new WatchFolderCapture(one, watched) : new WatchCapture(one, watched),
      );
    }
    for (const one of config.unix_socket) {
      const path = join(root.socketDirectory, one.socket);
      add('unix_socket', one, () => new SocketCapture(one, path, sink, report));
    }
    for (const one of config.run) add('run', one, () => this.#run(one));
    for (const folder of config.dynamic_tail) {
      const directory = root.at(folder.directory);
      const options = { folder, directory, sink, report, onChange };
      add('dynamic_tail', folder, () => new DynamicTailCapture(options));
    }
    for (const folder of config.run_dir) {
      const directory = root.at(folder.directory);
      const options = { folder, directory, env: this.#env, taskLog, launcher, sink, report, onChange };
      add('run_dir', folder, () => new RunDirCapture(options));
    }
    const { machine } = config;
    const measured = machine === 'own' ? 'own' : 'machine';
    if (machine) add('machine', { measured }, () => new MachineCapture(sink, root.prefix, vitals, measured));
    return all;
  }

  #run(scenario: RunScenario): RunCapture {
    const { sink, report } = this.#options;
    const { table, source, command, frequency, at, timeout } = scenario;
    const everyMs = (frequency ?? 0) * 1000;
    return new RunCapture({
      table,
      source,
      kind: 'run',
      command,
      timeoutMs: (timeout ?? Math.max(DEFAULT_TIMEOUT_S, frequency ?? 0)) * 1000,
      schedule: at === undefined ? { everyMs } : { nextAt: atClock(at) },
      env: this.#env,
      lines: new StaticLines(scenario, 'run', report),
      sink,
      report,
    });
  }

  /** Commands see where the agent's folders are. */
  get #env(): Record<string, string> {
    return { ALBEDO_ROOT: this.#options.root.prefix };
  }
}
