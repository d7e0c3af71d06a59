/** A folder of log files that is followed as an agent does it, for the tests of one file: made before each, gone after it. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect } from 'vitest';
import { DynamicTailCapture } from '../captures/dynamic-tail.capture.ts';
import { TailCapture } from '../captures/tail.capture.ts';
import { createLog } from '../log.ts';
import type { CaptureFault } from '../outbox/faults.ts';
import { Outbox } from '../outbox/outbox.ts';
import type { RunningCapture } from '../outbox/sink.ts';

type Capture = Pick<RunningCapture, 'start' | 'stop'>;

export let root: string;
export let outbox: Outbox | null = null;
let capture: Capture | null = null;
export const faults: CaptureFault[] = [];
/** A clock for the files, so that what is written later is later on every file system. */
let clock = 0;

/** Gives each test of a file a folder of its own. To be called by that file: this one is loaded once for several of them. */
export function inFoldersOfTheirOwn(): void {
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'albedo-rotation-'));
    mkdirSync(join(root, 'log'));
    faults.length = 0;
    clock = Date.now() / 1000 - 100_000;
  });
  afterEach(() => {
    stop();
    rmSync(root, { recursive: true, force: true });
  });
}

export const at = (name: string) => join(root, 'log', name);
export function written(name: string): void {
  clock += 10;
  utimesSync(at(name), clock, clock);
}
export function put(name: string, text: string): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  written(name);
}
export function add(name: string, text: string): void {
  appendFileSync(at(name), text);
  written(name);
}
export const lines = (from: number, to: number, end = '\n') =>
  Array.from({ length: to - from }, (_, n) => `${from + n}${end}`).join('');
export const START = Date.parse('2024-03-01T00:00:00Z');
export const rows = (from: number, to: number, end = '\n') =>
  Array.from(
    { length: to - from },
    (_, n) => `${new Date(START + (from + n) * 1000).toISOString()},${from + n}${end}`,
  ).join('');
export const HEADER = '# Datetime(date),n(integer)\n';

export function begin(): Outbox {
  outbox = new Outbox({
    directory: join(root, 'state'),
    limitBytes: 1e9,
    limitAgeMs: 1e12,
    log: createLog('error'),
    commitMs: 20,
  });
  outbox.start();
  return outbox;
}
/** Starts a capture, which `stop` ends. */
export function follow(one: Capture): void {
  capture = one;
  capture.start();
}
/** Follows `log/meter.log`, whose lines carry no time and are numbers. */
export function tail(from: 'start' | 'end' = 'start'): void {
  const scenario = {
    table: 't',
    source: 's',
    file: '/log/meter.log',
    expect: 'integer',
    from,
  } as const;
  follow(new TailCapture(scenario as never, at('meter.log'), begin(), (fault) => faults.push(fault)));
}
export function dynamic(): void {
  follow(
    new DynamicTailCapture({
      folder: { directory: '/log', filename: 'latest.csv' },
      directory: join(root, 'log'),
      sink: begin(),
      report: (fault) => faults.push(fault),
      onChange: () => {},
    }),
  );
}
export function stop(): void {
  capture?.stop();
  outbox?.stop();
  capture = null;
  outbox = null;
}

export const numbers = () =>
  (outbox?.newest({ events: 1e6, bytes: 1e9 }, null, () => false) ?? [])
    .sort((a, b) => a.id - b.id)
    .map(({ body }) => JSON.parse(body)[0]);
export const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

export const until = (count: number): Promise<void> => captured(upTo(count));

export async function captured(all: number[]): Promise<void> {
  for (let n = 0; n < 400 && numbers().length < all.length; n++) await sleep(20);
  // Nothing that was read already comes after it.
  await sleep(300);
  expect(numbers()).toEqual(all);
}
