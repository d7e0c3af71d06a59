/** Folders of log files that are followed as an agent does it: one for each test, made before it and gone after it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test as one } from 'vitest';
import { DynamicTailCapture } from '../captures/dynamic-tail.capture.ts';
import { TailCapture } from '../captures/tail.capture.ts';
import { createLog } from '../log.ts';
import type { CaptureFault } from '../outbox/faults.ts';
import { Outbox } from '../outbox/outbox.ts';
import type { RunningCapture } from '../outbox/sink.ts';

const { concurrent } = one;
type Capture = Pick<RunningCapture, 'start' | 'stop'>;

/** What belongs to one test. */
interface Place {
  root: string;
  outbox: Outbox | null;
  capture: Capture | null;
  faults: CaptureFault[];
  /** A clock for the files, so that what is written later is later on every file system. */
  clock: number;
}

const places = new AsyncLocalStorage<Place>();

/** That of the test which asks. */
export function place(): Place {
  const known = places.getStore();
  if (!known) throw new Error('only within a test of followed files');
  return known;
}

const inPlaceOfItsOwn =
  <Given extends unknown[]>(run: (...given: Given) => void | Promise<void>) =>
  (...given: Given): Promise<void> => {
    const root = mkdtempSync(join(tmpdir(), 'albedo-rotation-'));
    mkdirSync(join(root, 'log'));
    const own = { root, outbox: null, capture: null, faults: [], clock: Date.now() / 1000 - 100_000 };
    return places.run(own, async () => {
      try {
        await run(...given);
      } finally {
        stop();
        rmSync(root, { recursive: true, force: true });
      }
    });
  };

/** Tests that mostly wait for files, side by side: each has a folder of its own. */
export const test = Object.assign(
  (name: string, run: () => void | Promise<void>) => concurrent(name, inPlaceOfItsOwn(run)),
  {
    each:
      <Case>(cases: readonly Case[]) =>
      (name: string, run: (one: Case) => void | Promise<void>) =>
        concurrent.each(cases)(name, inPlaceOfItsOwn(run)),
  },
);

export const at = (name: string) => join(place().root, 'log', name);
export function written(name: string): void {
  const own = place();
  own.clock += 10;
  utimesSync(at(name), own.clock, own.clock);
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
  const own = place();
  own.outbox = new Outbox({
    directory: join(own.root, 'state'),
    limitBytes: 1e9,
    limitAgeMs: 1e12,
    log: createLog('error'),
    commitMs: 20,
  });
  own.outbox.start();
  return own.outbox;
}
/** Starts a capture, which `stop` ends. */
export function follow(one: Capture): void {
  place().capture = one;
  one.start();
}
/** Follows `log/meter.log`, whose lines carry no time and are numbers. */
export function tail(from: 'start' | 'end' = 'start'): void {
  const { faults } = place();
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
  const { root, faults } = place();
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
  const own = place();
  own.capture?.stop();
  own.outbox?.stop();
  own.capture = null;
  own.outbox = null;
}

export const numbers = () =>
  (place().outbox?.newest({ events: 1e6, bytes: 1e9 }, null, () => false) ?? [])
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
