import { accessSync, constants, type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '@albedo/contract/devices/meta.schema';
import { DirectoryWatch, makeFolder } from '../changes/directory-watch.ts';
import { intervalOf, type RunDir } from '../config/config.schema.ts';
import { codeOf, messageOf } from '../log.ts';
import type { CaptureFault } from '../outbox/faults.ts';
import type { RunningCapture, Sink } from '../outbox/sink.ts';
import type { TaskLauncher } from '../tasks/task-launcher.ts';
import type { TaskLog } from '../tasks/task-log.ts';
import { StaticLines } from './lines.ts';
import { RunCapture } from './run.capture.ts';
import { everyAligned } from './schedule.ts';

const RESCAN_MS = 30_000;
const SETTLE_MS = 100;
const TABLE = 'run';

export interface RunDirOptions {
  folder: RunDir;
  /** The folder as it is on this disk. */
  directory: string;
  env: Record<string, string>;
  taskLog: TaskLog;
  /** Says how its files are started. */
  launcher: Pick<TaskLauncher, 'commandFor'>;
  sink: Sink;
  report: (fault: CaptureFault) => void;
  onChange: () => void;
}

/** Runs every executable file of an interval folder at that interval. What it prints goes to the table `run`. */
export class RunDirCapture implements RunningCapture {
  readonly #options: RunDirOptions;
  readonly #tasks = new Map<string, RunCapture>();
  readonly #watch = new DirectoryWatch();
  #rescan: NodeJS.Timeout | null = null;
  #settle: NodeJS.Timeout | null = null;

  constructor(options: RunDirOptions) {
    this.#options = options;
  }

  start(): void {
    makeFolder(this.#options.directory);
    this.#scan();
    this.#rescan = setInterval(() => this.#scan(), RESCAN_MS);
  }

  stop(): void {
    if (this.#rescan) clearInterval(this.#rescan);
    if (this.#settle) clearTimeout(this.#settle);
    this.#watch.close();
    for (const task of this.#tasks.values()) task.stop();
    this.#tasks.clear();
  }

  scenarios(): Scenario[] {
    return [...this.#tasks.keys()].map((name) => ({
      table: TABLE,
      source: this.#source(name),
      expect: 'log' as const,
      command: join(this.#options.folder.directory, name),
      frequency: this.#seconds,
      fields: [{ name: 'value', expect: 'log' as const }],
    }));
  }

  get #seconds(): number {
    return intervalOf(this.#options.folder.frequency);
  }

  #source(name: string): string {
    const { frequency } = this.#options.folder;
    return `${typeof frequency === 'number' ? `${frequency}s` : frequency}/${name}`;
  }

  #scan(): void {
    const { directory, onChange } = this.#options;
    this.#watch.add(directory, () => {
      this.#settle ??= setTimeout(() => {
        this.#settle = null;
        this.#scan();
      }, SETTLE_MS);
    });
    const found = new Set(this.#executables());
    let changed = false;
    for (const [name, task] of this.#tasks) {
      if (found.has(name)) continue;
      task.stop();
      this.#tasks.delete(name);
      this.#options.taskLog.forget(this.#source(name));
      changed = true;
    }
    for (const name of found) {
      if (this.#tasks.has(name)) continue;
      this.#add(name);
      changed = true;
    }
    if (changed) onChange();
  }

  #add(name: string): void {
    const { directory, env, taskLog, launcher, sink, report } = this.#options;
    const scenario = { table: TABLE, source: this.#source(name), expect: 'log' };
    const everyMs = this.#seconds * 1000;
    const task = new RunCapture({
      table: scenario.table,
      source: scenario.source,
      kind: 'run_dir',
      command: join(directory, name),
      lineOf: () => launcher.commandFor(join(directory, name), everyMs),
      timeoutMs: everyMs,
      schedule: { nextAt: everyAligned(everyMs) },
      env,
      heard: (run) => taskLog.heard(scenario.source, run),
      lines: new StaticLines(scenario, 'run_dir', report),
      sink,
      report,
    });
    this.#tasks.set(name, task);
    task.start();
  }

  #executables(): string[] {
    const { directory, report, folder } = this.#options;
    let entries: Dirent[];
    try {
      entries = readdirSync(directory, { withFileTypes: true });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') {
        const message = `the folder ${directory} cannot be read: ${messageOf(error)}`;
        const source = String(folder.frequency);
        report({ table: TABLE, source, scenario: 'run_dir', column: '', message, line: '' });
      }
      return [];
    }
    return entries
      .map((one) => one.name)
      .filter((name) => !name.startsWith('.') && isExecutable(join(directory, name)));
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not executable, or gone since the folder was read: either way it is no task.
    return false;
  }
}
