import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CaptureFault } from '../outbox/faults.ts';
import type { Unit } from '../outbox/outbox.events.ts';
import { StaticLines } from './lines.ts';
import { RunCapture } from './run.capture.ts';
import { TailCapture } from './tail.capture.ts';

let root: string;
const units: Unit[] = [];
const faults: CaptureFault[] = [];
const sink = {
  append: (unit: Unit) => void units.push(unit),
  hasRoom: () => true,
  position: () => null,
  positionKeys: () => [],
};
const report = (fault: CaptureFault) => void faults.push(fault);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'albedo-unread-'));
  [units.length, faults.length] = [0, 0];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const rows = () =>
  units.flatMap(({ captures }) =>
    captures.flatMap(({ shape, rows }) => rows.map(({ values }) => [shape.fields[0]?.name, ...values])),
  );

test('lines that cannot be read are kept as they are, and colours of a terminal are no part of a line', async () => {
  const file = join(root, 'log');
  writeFileSync(
    file,
    Buffer.concat([
      Buffer.from('1\n\u001b[31;1m2\u001b[0m\n'),
      Buffer.from([0x41, 0xff, 0x42, 10]),
      Buffer.from('a\u0000b\n'),
      Buffer.alloc(1_100_000, 'x'),
      Buffer.from('\n3\n'),
    ]),
  );
  const scenario = { table: 't', source: 's', file: '/log', expect: 'integer', from: 'start' } as never;
  const capture = new TailCapture(scenario, file, sink, report);
  capture.start();
  await vi.waitFor(() => expect(rows()).toHaveLength(6), { timeout: 5000 });
  capture.stop();
  expect(rows().map((row) => (String(row[2]).length > 100 ? [row[0], row[1], 'long'] : row))).toEqual([
    ['value', 1],
    ['value', 2],
    ['reason', 'the line is not UTF-8 text and is left out', '41ff42'],
    ['reason', 'the line has control characters and is left out', '610062'],
    ['reason', 'the line is longer than 1048576 bytes', 'long'],
    ['value', 3],
  ]);
  expect(faults).toHaveLength(3);
});

test.each([30, 2_500_000])(
  'a hole of %i bytes, which a program leaves that goes on at its old place in a cut file, is no part of a line',
  async (bytes) => {
    const file = join(root, 'log');
    writeFileSync(file, Buffer.concat([Buffer.alloc(bytes), Buffer.from('1\n2\n')]));
    const scenario = { table: 't', source: 's', file: '/log', expect: 'integer', from: 'start' } as never;
    const capture = new TailCapture(scenario, file, sink, report);
    capture.start();
    await vi.waitFor(() => expect(rows()).toHaveLength(2), { timeout: 5000 });
    capture.stop();
    expect(rows()).toEqual([
      ['value', 1],
      ['value', 2],
    ]);
    expect(faults).toEqual([]);
  },
);

test('a command that may take longer than a timer can wait is not ended at once', async () => {
  const capture = new RunCapture({
    table: 't',
    source: 's',
    kind: 'run',
    command: 'sleep 0.2; echo 7',
    timeoutMs: 30 * 86_400_000,
    schedule: { everyMs: 30 * 86_400_000 },
    env: {},
    lines: new StaticLines({ table: 't', source: 's', expect: 'integer' }, 'run', report),
    sink,
    report,
  });
  capture.start();
  await vi.waitFor(() => expect(rows()).toEqual([['value', 7]]), { timeout: 5000 });
  capture.stop();
  expect(faults).toEqual([]);
});
