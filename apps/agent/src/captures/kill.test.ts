import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { Outbox } from '../outbox/outbox.ts';

const HEADER = '# Datetime(date),n(integer)\n';
const SOURCES = ['one', 'two', 'three'];

let root: string;
let agent: ChildProcess | null = null;
let written = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'albedo-kill-'));
  mkdirSync(join(root, 'etc/albedo'), { recursive: true });
  const link = '{hostname: 127.0.0.1, port: 1, cacertfile: /a, certfile: /b, keyfile: /c}';
  writeFileSync(join(root, 'etc/albedo/albedo.yaml'), `mqtt: ${link}\nmachine: false\n`);
  written = 0;
});
afterEach(() => {
  agent?.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

const latest = (source: string) => join(root, 'opt/albedo/logs/t', source, 'latest.csv');
const today = (source: string) => join(dirname(latest(source)), 'today.csv');

function beginFiles(): void {
  for (const source of SOURCES) {
    mkdirSync(dirname(latest(source)), { recursive: true });
    for (const file of [latest(source), today(source)]) writeFileSync(file, HEADER);
  }
}

/** As plugins do at midnight: the copy of the day stays, the followed file is deleted and starts over. */
function rotate(): void {
  for (const source of SOURCES) {
    renameSync(today(source), join(dirname(latest(source)), `until-${written}.csv`));
    rmSync(latest(source));
  }
  beginFiles();
}

/** In two pieces, so that the agent meets half-written lines. */
function write(): void {
  const text = `${new Date(Date.now()).toISOString()},${written}\n`;
  for (const source of SOURCES) {
    for (const file of [latest(source), today(source)]) {
      appendFileSync(file, text.slice(0, 12));
      appendFileSync(file, text.slice(12));
    }
  }
  written++;
}

async function writeFor(ms: number): Promise<void> {
  for (const endsAt = performance.now() + ms; performance.now() < endsAt; await sleep(3)) write();
}

function outboxOf(): Outbox {
  const directory = join(root, 'var/lib/albedo');
  const outbox = new Outbox({ directory, limitBytes: 1e9, limitAgeMs: 1e12, log: createLog('error') });
  outbox.start();
  return outbox;
}

function launch(): ChildProcess {
  const main = join(import.meta.dirname, '../main.ts');
  agent = spawn(process.execPath, [main, 'run', '--root', root], { stdio: 'ignore' });
  return agent;
}

/** Whether the agent has left all replaced files and noted its places in those that are there now. */
function isFollowing(): boolean {
  const copy = join(root, 'copy');
  try {
    cpSync(join(root, 'var/lib/albedo'), copy, { recursive: true });
    const db = new DatabaseSync(join(copy, 'outbox.db'));
    const places = new Map(
      db
        .prepare('SELECT key, inode FROM positions')
        .all()
        .map(({ key, inode }) => [key, inode]),
    );
    db.close();
    return SOURCES.every(
      (source) =>
        places.get(`dynamic /opt/albedo/logs/t/${source}/latest.csv`) === statSync(latest(source)).ino,
    );
  } catch {
    // It was written in the middle of the copy, or is not there yet: look again.
    return false;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Writes until the agent has found its place in the present files and had time to keep it. */
async function writeUntilFollowed(): Promise<void> {
  while (!isFollowing()) await writeFor(50);
  await writeFor(600);
}

async function kill(process: ChildProcess): Promise<void> {
  process.kill('SIGKILL');
  await once(process, 'exit');
}

test('killed at random moments while files grow and rotate, every line is captured exactly once', async () => {
  beginFiles();
  for (let round = 0; round < 2; round++) {
    // Files that come and go between two looks cannot be known, so each change of files is followed before the next.
    const followed = launch();
    await writeUntilFollowed();
    await writeFor(Math.random() * 300);
    await kill(followed);
    const interrupted = launch();
    await writeFor(Math.random() * 800);
    rotate();
    await writeFor(Math.random() * 800);
    await kill(interrupted);
    await writeFor(30);
  }
  const last = launch();
  await writeUntilFollowed();
  await sleep(300);
  last.kill('SIGTERM');
  expect(await once(last, 'exit')).toEqual([0, null]);
  const outbox = outboxOf();
  const events = outbox.newest({ events: 1e6, bytes: 1e9 }, null, () => false).sort((a, b) => a.id - b.id);
  outbox.stop();
  for (const source of SOURCES) {
    const captured = events
      .filter((one) => one.shape.source === source)
      .map((one) => JSON.parse(one.body)[0]);
    expect(captured).toEqual(Array.from({ length: written }, (_, n) => n));
  }
}, 60_000);
