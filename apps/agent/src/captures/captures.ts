import { join } from 'node:path';
import type { Scenario } from '@albedo/contract/devices/meta.schema';
import type { AgentConfig } from '../config/config.read.ts';
import type { RunScenario } from '../config/config.schema.ts';
import { type AgentVitals, MachineCapture } from '../machine/machine.capture.ts';
import type { Root } from '../root.ts';
import { DynamicTailCapture } from './dynamic-tail.capture.ts';
import type { CaptureFault } from './faults.ts';
import { StaticLines } from './lines.ts';
import { RunCapture } from './run.capture.ts';
import { RunDirCapture } from './run-dir.capture.ts';
import { atClock } from './schedule.ts';
import type { RunningCapture, Sink } from './sink.ts';
import { SocketCapture } from './socket.capture.ts';
import { TailCapture } from './tail.capture.ts';
import { WatchCapture } from './watch.capture.ts';

export interface CapturesOptions {
  config: AgentConfig;
  root: Root;
  sink: Sink;
  report: (fault: CaptureFault) => void;
  vitals: () => AgentVitals;
  /** What was found in folders changed. */
  onChange: () => void;
}

const DEFAULT_TIMEOUT_S = 60;

/** Everything that one configuration captures, started and stopped together. */
export class Captures {
  readonly #options: CapturesOptions;
  readonly #running: RunningCapture[] = [];
  readonly #found: { scenarios(): Scenario[] }[] = [];

  constructor(options: CapturesOptions) {
    this.#options = options;
  }

  start(): void {
    const { config, root, sink, report, vitals } = this.#options;
    for (const one of config.tail) this.#add(new TailCapture(one, root.at(one.file), sink, report));
    for (const one of config.watch) this.#add(new WatchCapture(one, root.at(one.file), sink, report));
    for (const one of config.unix_socket) {
      this.#add(new SocketCapture(one, join(root.socketDirectory, one.socket), sink, report));
    }
    for (const one of config.run) this.#add(this.#run(one));
    this.#folders();
    if (config.machine) this.#add(new MachineCapture(sink, root.prefix, vitals));
  }

  stop(): void {
    for (const one of this.#running.splice(0)) one.stop();
  }

  /** What was found in folders, in the order of the configuration. */
  scenarios(): Scenario[] {
    return this.#found.flatMap((one) => one.scenarios());
  }

  get unreadBytes(): number {
    return this.#running.reduce((sum, one) => sum + (one.unreadBytes?.() ?? 0), 0);
  }

  #folders(): void {
    const { config, root, sink, report, onChange } = this.#options;
    for (const folder of config.dynamic_tail) {
      const directory = root.at(folder.directory);
      const capture = new DynamicTailCapture({ folder, directory, sink, report, onChange });
      this.#found.push(capture);
      this.#add(capture);
    }
    for (const folder of config.run_dir) {
      const directory = root.at(folder.directory);
      const capture = new RunDirCapture({ folder, directory, env: this.#env, sink, report, onChange });
      this.#found.push(capture);
      this.#add(capture);
    }
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

  #add(capture: RunningCapture): void {
    this.#running.push(capture);
    capture.start();
  }
}
