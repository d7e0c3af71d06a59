import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { Outbox } from '../outbox/outbox.ts';

const isLong = process.env.ALBEDO_TEST_LONG === '1';
const HEADER = '# Datetime(date),n(integer)\n';
/** How long rows are written, how long a day lasts, and how long an agent lives and is away, ms. */
const RUN = isLong
  ? { forMs: 180_000, day: [18_000, 22_000], alive: [200, 9000], away: [0, 2500], rowMs: 12 }
  : { forMs: 6000, day: [900, 1500], alive: [400, 1500], away: [0, 500], rowMs: 4 };
/** Absences in which several files come and go. */
const FAR = isLong ? [15_000, 50_000] : [1500, 3500];
/** The first agent sees the first files. */
const FIRST_MS = 3000;
/** So many files that had their turn stay. */
const KEPT = 20;
const FIRST_DAY = Date.UTC(2026, 2, 1);
const within = ([from = 0, to = 0]: number[]) => from + Math.random() * (to - from);

/** Writes rows, and begins a new day now and then. */
abstract class Writer {
  readonly folder: string;
  written = 0;
  #day = -1;
  #nextAt = 0;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  protected abstract begin(day: number): void;
  protected abstract add(line: string, day: number): void;

  write(): void {
    if (performance.now() >= this.#nextAt) {
      // What has come and gone before an agent ever saw it is nothing that it left out.
      this.#nextAt = performance.now() + (this.#day < 0 ? FIRST_MS + 1000 : 0) + within(RUN.day);
      this.#day++;
      this.begin(this.#day);
    }
    this.add(`${new Date().toISOString()},${this.written++}\n`, this.#day);
  }
}

/** As the writer of plugins: `latest.csv` begins anew beside the file of the day. */
class Days extends Writer {
  protected begin(day: number): void {
    rmSync(join(this.folder, 'latest.csv'), { force: true });
    this.add(HEADER, day);
  }

  protected add(line: string, day: number): void {
    const date = new Date(FIRST_DAY + day * 86_400_000).toISOString().slice(0, 10);
    appendFileSync(join(this.folder, `${date}.csv`), line);
    appendFileSync(join(this.folder, 'latest.csv'), line);
  }
}

/** As `logrotate`: the file is renamed, and those before it move on by one. */
class Turns extends Writer {
  protected begin(): void {
    const name = (turn: number) => join(this.folder, turn === 0 ? 'latest.csv' : `latest.csv.${turn}`);
    for (let turn = KEPT; turn >= 0; turn--) {
      if (existsSync(name(turn))) renameSync(name(turn), name(turn + 1));
    }
    this.add(HEADER);
  }

  protected add(line: string): void {
    appendFileSync(join(this.folder, 'latest.csv'), line);
  }
}

function launch(root: string): ChildProcess {
  const main = join(import.meta.dirname, '../main.ts');
  return spawn(process.execPath, [main, 'run', '--root', root], { stdio: 'ignore' });
}

/** One agent after the other lives for a while, and the last one ends by itself. */
async function live(root: string, until: number, away: number[]): Promise<void> {
  for (let isFirst = true; performance.now() < until; isFirst = false) {
    const agent = launch(root);
    const ended = once(agent, 'exit');
    await sleep(isFirst ? FIRST_MS : within(RUN.alive));
    agent.kill('SIGKILL');
    await ended;
    await sleep(within(away));
  }
  const last = launch(root);
  await sleep(isLong ? 12_000 : 4000);
  last.kill('SIGTERM');
  await once(last, 'exit');
}

/** How often each number of a source is in the outbox. */
function captured(root: string, source: string): Map<number, number> {
  const directory = join(root, 'var/lib/albedo');
  const outbox = new Outbox({ directory, limitBytes: 1e9, limitAgeMs: 1e12, log: createLog('error') });
  outbox.start();
  const events = outbox.newest({ events: 1e7, bytes: 1e10 }, null, () => false);
  outbox.stop();
  const times = new Map<number, number>();
  for (const { shape, body } of events) {
    if (shape.source !== source) continue;
    const number = JSON.parse(body)[0];
    times.set(number, (times.get(number) ?? 0) + 1);
  }
  return times;
}

test.concurrent.each([
  { absence: 'away for a moment', away: RUN.away },
  { absence: 'away while several files come and go', away: FAR },
])(
  'an agent that is killed at random while files begin anew keeps every row once, $absence',
  { timeout: RUN.forMs + 120_000 },
  async ({ away }) => {
    const root = mkdtempSync(join(tmpdir(), 'albedo-days-'));
    mkdirSync(join(root, 'etc/albedo'), { recursive: true });
    const link = '{hostname: 127.0.0.1, port: 1, cacertfile: /a, certfile: /b, keyfile: /c}';
    writeFileSync(join(root, 'etc/albedo/albedo.yaml'), `mqtt: ${link}\nmachine: false\n`);
    const folder = (source: string) => join(root, 'opt/albedo/logs/t', source);
    const writers = { days: new Days(folder('days')), turns: new Turns(folder('turns')) };
    try {
      const until = performance.now() + RUN.forMs;
      const lives = live(root, until, away);
      while (performance.now() < until) {
        for (const one of Object.values(writers)) one.write();
        await sleep(RUN.rowMs);
      }
      await lives;
      for (const [source, { written }] of Object.entries(writers)) {
        const times = captured(root, source);
        const all = Array.from({ length: written }, (_none, n) => n);
        const missing = ranges(all.filter((n) => !times.has(n)));
        const twice = ranges(all.filter((n) => (times.get(n) ?? 0) > 1));
        expect({ source, missing, twice }).toEqual({ source, missing: [], twice: [] });
      }
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);

/** `[first, last]` of what follows one after the other. */
function ranges(numbers: number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const n of numbers) {
    const last = found.at(-1);
    if (last && last[1] === n - 1) last[1] = n;
    else found.push([n, n]);
  }
  return found;
}
