import type { Finished } from '../commands/finished.ts';
import { runCommand } from '../commands/process.ts';
import { messageOf } from '../log.ts';
import type { CaptureFault } from '../outbox/faults.ts';
import type { Capture } from '../outbox/outbox.events.ts';
import type { RunningCapture, Sink } from '../outbox/sink.ts';
import { type LineReader, rubbish, withoutColours } from './lines.ts';
import { ClockTimer, everyFrom, type NextAt } from './schedule.ts';

export interface RunOptions {
  table: string;
  source: string;
  /** Kind as `agent_errors` names it. */
  kind: string;
  command: string;
  /** The command line of each run, where that is not the command as it is. */
  lineOf?: () => Promise<string>;
  timeoutMs: number;
  /** Interval from the start on, or moments of the clock. */
  schedule: { everyMs: number } | { nextAt: NextAt };
  env: Record<string, string>;
  lines: LineReader;
  sink: Sink;
  /** Told of each run that came to its end. */
  heard?: (run: Finished) => void;
  report: (fault: CaptureFault) => void;
}

const STDERR_SHOWN = 4000;
/** The system's timers wait no longer than 24.8 days; what is longer than a day goes by the clock, ms. */
const MAX_INTERVAL_MS = 86_400_000;

/**
 * Runs a command again and again; each line it prints is a record. What it prints on stderr, an exit code other than
 * 0 and a timeout become `agent_errors`. A run that is due while the last one still goes on is left out.
 */
export class RunCapture implements RunningCapture {
  readonly #options: RunOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | ClockTimer | null = null;
  #isRunning = false;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  start(): void {
    const { schedule } = this.#options;
    if ('nextAt' in schedule) {
      this.#timer = new ClockTimer(schedule.nextAt, () => void this.#run());
      this.#timer.start();
    } else if (schedule.everyMs > MAX_INTERVAL_MS) {
      this.#timer = new ClockTimer(everyFrom(Date.now(), schedule.everyMs), () => void this.#run());
      this.#timer.start();
      void this.#run();
    } else {
      this.#timer = setInterval(() => void this.#run(), schedule.everyMs);
      void this.#run();
    }
  }

  stop(): void {
    if (this.#timer instanceof ClockTimer) this.#timer.stop();
    else if (this.#timer) clearInterval(this.#timer);
    this.#stopping.abort();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) {
      this.#fault('run', 'the last run has not ended yet, so this one is left out', this.#options.command);
      return;
    }
    this.#isRunning = true;
    const { command, lineOf = async () => command, timeoutMs, env } = this.#options;
    try {
      const line = await lineOf();
      const finished = await runCommand(line, { timeoutMs, env, signal: this.#stopping.signal });
      if (!this.#stopping.signal.aborted) this.#finished(finished);
    } catch (error) {
      this.#fault('run', `the command could not be started: ${messageOf(error)}`, command);
    } finally {
      this.#isRunning = false;
    }
  }

  #finished(run: Finished): void {
    const { lines, sink, command, timeoutMs } = this.#options;
    this.#options.heard?.(run);
    const captures: Capture[] = [];
    const arrivedAt = Date.now();
    for (const line of run.stdout.split('\n')) {
      const text = withoutColours(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (text.trim() === '') continue;
      const reason = rubbish(text);
      if (reason) {
        lines.fault(reason, Buffer.from(text).subarray(0, 100).toString('hex'));
        lines.unread(reason, Buffer.from(text), arrivedAt, captures);
      } else lines.line(text, arrivedAt, captures);
    }
    if (captures.length > 0) sink.append({ captures });
    if (run.stderr.trim()) this.#fault('stderr', run.stderr.trim().slice(0, STDERR_SHOWN), command);
    if (run.error) this.#fault('run', `the command could not be started: ${run.error}`, command);
    else if (run.killed)
      this.#fault('run', `the command took longer than ${timeoutMs / 1000} s and was ended`, command);
    else if (run.returnCode !== 0) {
      const how = run.returnCode === null ? 'was ended by a signal' : `ended with code ${run.returnCode}`;
      this.#fault('run', `the command ${how}`, command);
    }
  }

  #fault(column: string, message: string, line: string): void {
    const { table, source, kind, report } = this.#options;
    report({ table, source, scenario: kind, column, message, line });
  }
}
