import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
/** The first agent sees the first files. */
const FIRST_MS = 3000;
const FIRST_DAY = Date.UTC(2026, 2, 1);
const within = ([from = 0, to = 0]: number[]) => from + Math.random() * (to - from);

/** Writes as the writer of plugins does: `latest.csv` begins anew beside the file of the day. */
class Days {
  readonly folder: string;
  written = 0;
  #day = -1;
  #nextAt = 0;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  write(): void {
    const latest = join(this.folder, 'latest.csv');
    if (performance.now() >= this.#nextAt) {
      // What has come and gone before an agent ever saw it is nothing that it left out.
      this.#nextAt = performance.now() + (this.#day < 0 ? FIRST_MS + 1000 : 0) + within(RUN.day);
      this.#day++;
    }
    const date = new Date(FIRST_DAY + this.#day * 86_400_000).toISOString().slice(0, 10);
    const archive = join(this.folder, `${date}.csv`);
    if (!existsSync(archive)) {
      rmSync(latest, { force: true });
      appendFileSync(archive, HEADER);
      appendFileSync(latest, HEADER);
    }
    const text = `${new Date().toISOString()},${this.written++}\n`;
    appendFileSync(archive, text);
    appendFileSync(latest, text);
  }
}

let agent: ChildProcess | null = null;

function launch(root: string): ChildProcess {
  const main = join(import.meta.dirname, '../main.ts');
  agent = spawn(process.execPath, [main, 'run', '--root', root], { stdio: 'ignore' });
  return agent;
}

async function live(root: string, until: number): Promise<void> {
  for (let isFirst = true; performance.now() < until; isFirst = false) {
    const ended = once(launch(root), 'exit');
    await sleep(isFirst ? FIRST_MS : within(RUN.alive));
    agent?.kill('SIGKILL');
    await ended;
    await sleep(within(RUN.away));
  }
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

test('an agent that is killed at random while plugins begin new days keeps every row once', {
  timeout: RUN.forMs + 60_000,
}, async () => {
  const root = mkdtempSync(join(tmpdir(), 'albedo-days-'));
  mkdirSync(join(root, 'etc/albedo'), { recursive: true });
  const link = '{hostname: 127.0.0.1, port: 1, cacertfile: /a, certfile: /b, keyfile: /c}';
  writeFileSync(join(root, 'etc/albedo/albedo.yaml'), `mqtt: ${link}\nmachine: false\n`);
  const sources = ['one', 'two'];
  const days = sources.map((source) => new Days(join(root, 'opt/albedo/logs/t', source)));
  try {
    const until = performance.now() + RUN.forMs;
    const lives = live(root, until);
    while (performance.now() < until) {
      for (const one of days) one.write();
      await sleep(RUN.rowMs);
    }
    await lives;
    const last = launch(root);
    await sleep(isLong ? 12_000 : 4000);
    last.kill('SIGTERM');
    await once(last, 'exit');
    for (const [at, source] of sources.entries()) {
      const times = captured(root, source);
      const all = Array.from({ length: days[at]?.written ?? 0 }, (_, n) => n);
      const missing = all.filter((n) => !times.has(n));
      const twice = all.filter((n) => (times.get(n) ?? 0) > 1);
      expect({ source, missing: ranges(missing), twice: ranges(twice) }).toEqual({
        source,
        missing: [],
        twice: [],
      });
    }
  } finally {
    agent?.kill('SIGKILL');
    if (!process.env.KEEP) rmSync(dirname(join(root, 'x')), { recursive: true, force: true });
    else console.log(root);
  }
});

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
