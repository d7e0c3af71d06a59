import type { Arguments, Options } from './command-line/arguments.ts';
import type { Log } from './command-line/log.ts';
import type { PackageFacts } from './package-facts.ts';
import type { PluginRecord } from './records/record.ts';
import type { ServiceRow } from './services/service-file.ts';

/** Reads machines. `open` makes one for each command line and for each row of a service file. */
export interface Reader {
  /**
   * Reads every machine once and gives each record as soon as it is there.
   *
   * A machine that fails is reported to `failed`, and the others are read all the same. Stops when the signal aborts.
   */
  read(signal: AbortSignal, failed: (error: Error) => void): AsyncIterable<PluginRecord>;
  close(): Promise<void>;
}

/** A reader is asked `once`, by `discover` and `log`, or again and again by a `service`. */
export type Purpose = 'once' | 'service';

/** What people have a machine do, by a command of its own: the machine is one of those that services of this device read. */
export interface Act {
  /** Names of the words behind the verb, all of which are given. */
  words: string[];
  help: string;
  /** Answers what to print. `rows` are those of all services of the plugin on this device. Throws `InputError`. */
  run(words: string[], rows: readonly ServiceRow[], signal: AbortSignal): Promise<string>;
}

export interface Plugin {
  /** Name of the executable, such as `sunspec_albedo`. */
  name: string;
  summary: string;
  /** Names of the arguments in front, in order; `log` takes `output_directory` after them. */
  positionals: string[];
  options: Options;
  /** What its package says of it; the command `spec` prints it. */
  package: PackageFacts;
  /** Checks the arguments and reads the files they name, but touches no machine yet. Throws `InputError`. */
  open(args: Arguments, log: Log, purpose: Purpose): Reader;
  /** What the machine offers, as lines that a configuration can have. */
  browse?(args: Arguments, log: Log, signal: AbortSignal): AsyncIterable<string>;
  /** By their verbs. */
  acts?: Readonly<Record<string, Act>>;
}
