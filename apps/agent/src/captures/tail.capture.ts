import { basename, dirname } from 'node:path';
import { DirectoryWatch } from '../changes/directory-watch.ts';
import type { TailScenario } from '../config/config.schema.ts';
import type { CaptureFault } from '../outbox/faults.ts';
import type { RunningCapture, Sink } from '../outbox/sink.ts';
import { Follower } from './follower.ts';
import { StaticLines } from './lines.ts';
import { ReadLoop } from './read-loop.ts';

const MISSING_CHECK_MS = 60_000;

/**
 * Follows one text file; each new line is a record.
 *
 * A file that is there when it is followed for the first time is read from its start when its lines carry their time,
 * else from its end, since the time of arrival would be wrong for what is old. `from` in the scenario overrides this.
 */
export class TailCapture implements RunningCapture {
  readonly #file: string;
  readonly #follower: Follower;
  readonly #lines: StaticLines;
  readonly #loop = new ReadLoop();
  readonly #watch = new DirectoryWatch();
  #missingCheck: NodeJS.Timeout | null = null;

  /** `nth` of the entries with the same file and stream, which each have a place of their own in it. */
  constructor(
    scenario: TailScenario,
    file: string,
    sink: Sink,
    report: (fault: CaptureFault) => void,
    nth = 1,
  ) {
    this.#file = file;
    this.#lines = new StaticLines(scenario, 'tail', report);
    this.#follower = new Follower({
      key: `tail ${scenario.table}.${scenario.source} ${scenario.file}${nth > 1 ? ` (${nth})` : ''}`,
      path: file,
      reader: this.#lines,
      sink,
      firstSight: scenario.from ?? (this.#lines.hasTime ? 'start' : 'end'),
    });
  }

  start(): void {
    this.#loop.add(this.#follower);
    this.#loop.start();
    this.#lookAround();
    this.#missingCheck = setInterval(() => this.#lookAround(), MISSING_CHECK_MS);
  }

  stop(): void {
    if (this.#missingCheck) clearInterval(this.#missingCheck);
    this.#watch.close();
    this.#loop.stop();
  }

  unreadBytes(): number {
    return this.#loop.unreadBytes;
  }

  /** Watches the folder, which may come later than the agent, and says when there is no file to follow. */
  #lookAround(): void {
    const own = basename(this.#file);
    this.#watch.add(dirname(this.#file), (name, isNameChange) => {
      if (name === null || name === own) this.#loop.mark(this.#follower, isNameChange);
    });
    if (this.#follower.trouble) this.#lines.fault(this.#follower.trouble, '');
    else if (this.#follower.isGone) this.#lines.fault(`${this.#file} does not exist`, '');
  }
}
