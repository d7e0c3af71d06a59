import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ReadStream } from 'node:tty';
import { fileURLToPath } from 'node:url';

/** The compiled part of node-pty, as it is packed for each processor. */
interface Native {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    isUtf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, cols: number, rows: number): void;
}

export interface Pty {
  readonly output: ReadStream;
  /** Resolves with the exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** Tells what runs in it to leave, as a line that breaks, and ends it after a while; any number of times. */
  hangUp(): void;
  /** Ends everything that runs in it at once. */
  cutOff(): void;
}

export interface PtyOptions {
  cols: number;
  rows: number;
  cwd: string;
  env: Record<string, string | undefined>;
}

/** How long a program has to leave after its terminal was hung up: an editor saves, a package manager tidies up, ms. */
const LEAVE_MS = 10_000;
/** What a program said last is read for so long after its end, ms. */
const LAST_WORDS_MS = 500;

/** A program in a terminal of its own; null where this machine has none for us. */
export function openPty(file: string, args: string[], { cols, rows, cwd, env }: PtyOptions): Pty | null {
  const native = loadNative();
  if (!native) return null;
  const pairs = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  const exit = Promise.withResolvers<number | null>();
  let isOver = false;
  const { fd, pid } = native.fork(file, args, pairs, cwd, cols, rows, -1, -1, true, '', (code, signal) => {
    isOver = true;
    exit.resolve(signal ? null : code);
  });
  const output = new ReadStream(fd);
  // A terminal whose program has ended reads as an error.
  output.on('error', () => output.destroy());
  void exit.promise.then(() => setTimeout(() => output.destroy(), LAST_WORDS_MS).unref());
  const signalGroup = (signal: NodeJS.Signals) => {
    if (!isOver) send(-pid, signal);
  };
  return {
    output,
    exited: exit.promise,
    write: (bytes) => {
      if (!isOver) (output as unknown as NodeJS.WritableStream).write(Buffer.from(bytes));
    },
    resize: (toCols, toRows) => {
      if (!isOver) native.resize(fd, toCols, toRows);
    },
    hangUp: () => {
      signalGroup('SIGHUP');
      setTimeout(() => signalGroup('SIGKILL'), LEAVE_MS).unref();
    },
    cutOff: () => {
      // Each command of a shell is in a group of its own, and may not care that its terminal is gone.
      for (const one of membersOf(pid)) send(one, 'SIGKILL');
    },
  };
}

/** To a process, or to a group where the number is negative. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** The processes of the session that one of them leads. */
function membersOf(leader: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => sessionOf(pid) === leader);
}

function sessionOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(session);
  } catch {
    // It has ended meanwhile.
    return null;
  }
}

let loaded: Native | null | undefined;

/** Beside the bundled agent lies `pty/<arch>/`; in the source tree the library has the same files. */
function loadNative(): Native | null {
  if (loaded !== undefined) return loaded;
  const name = `node.abi${process.versions.modules}.node`;
  const require = createRequire(import.meta.url);
  const places = [join(dirname(fileURLToPath(import.meta.url)), 'pty', process.arch)];
  try {
    const library = dirname(require.resolve('@homebridge/node-pty-prebuilt-multiarch/package.json'));
    places.push(join(library, 'prebuilds', `linux-${process.arch}`));
  } catch {
    // Only the source tree has it.
  }
  const file = places.map((place) => join(place, name)).find(existsSync);
  try {
    loaded = file ? (require(file) as Native) : null;
  } catch {
    // Built for another C library, such as that of Alpine.
    loaded = null;
  }
  return loaded;
}
