import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test, vi } from 'vitest';
import type { Unit } from '../outbox/outbox.events.ts';
import { MachineCapture } from './machine.capture.ts';
import { OwnMeter } from './own-usage.ts';

/** A meter of processes that did so much by then, ms by process. */
function meterOf(looks: { at: number; cpuMs: Record<number, number> }[]) {
  let look = 0;
  return new OwnMeter({
    look: () => ({
      cpuMs: new Map(Object.entries(looks[look]?.cpuMs ?? {}).map(([pid, ms]) => [Number(pid), ms])),
      memoryBytes: 64,
    }),
    now: () => looks[look++]?.at ?? 0,
    cores: 2,
    memoryBytes: 1024,
  });
}

test('what an agent uses is the time of its processes, as a share of all processors', () => {
  const meter = meterOf([
    { at: 0, cpuMs: { 1: 50_000, 2: 100 } },
    // A process ended, another one began.
    { at: 5000, cpuMs: { 1: 51_000, 3: 500 } },
  ]);
  expect(meter.read()).toEqual({ cpu: null, memory: 6.25 });
  expect(meter.read()).toEqual({ cpu: 15, memory: 6.25 });
});

test('pages that processes share do not make more of the memory than there is', () => {
  const look = () => ({ cpuMs: new Map(), memoryBytes: 4096 });
  expect(new OwnMeter({ look, memoryBytes: 1024 }).read().memory).toBe(100);
});

test('what a process started counts, what stands beside it does not', async () => {
  const meter = new OwnMeter();
  const alone = meter.read();
  const child = spawn(process.execPath, [
    '-e',
    'const held = Buffer.alloc(2e8, 1); process.stdout.write("on"); setInterval(() => held, 9e4)',
  ]);
  await once(child.stdout, 'data');
  const both = meter.read();
  child.kill();
  await once(child, 'exit');
  // Elsewhere than on Linux only the process itself is known.
  if (process.platform === 'linux') expect(both.memory).toBeGreaterThan(alone.memory);
  expect(both.cpu).toBeGreaterThan(0);
  expect(both.cpu).toBeLessThanOrEqual(100);
});

test('an agent that shares its machine reports nothing of the machine as a whole', () => {
  vi.useFakeTimers();
  const folder = mkdtempSync(`${tmpdir()}/albedo-own-`);
  const units: Unit[] = [];
  const sink = {
    append: (unit: Unit) => void units.push(unit),
    hasRoom: () => true,
    position: () => undefined,
    positionKeys: () => [],
  };
  const capture = new MachineCapture(sink as never, folder, () => ({}) as never, 'own');
  capture.start();
  vi.advanceTimersByTime(5000);
  capture.stop();
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
  const shapes = units.flatMap(({ captures }) => captures.map(({ shape }) => shape));
  const names = (table: string) =>
    shapes.find((shape) => shape.table === table)?.fields.map(({ name }) => name);
  expect(names('machine')).toEqual(['cpu_usage', 'memory_usage', 'disk_usage']);
  expect(names('data')).toEqual(['cpu_usage', 'memory_usage']);
});
