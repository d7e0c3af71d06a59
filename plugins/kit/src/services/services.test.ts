import { expect, test, vi } from 'vitest';
import type { Options } from '../command-line/arguments.ts';
import { parseServiceFile } from './service-file.ts';
import { superviseTasks } from './service-supervisor.ts';

const POSITIONALS = ['endpoint', 'bus_addresses', 'output_directory'];
const OPTIONS: Options = {
  port: { kind: 'integer', default: 502, help: '' },
  changes_only: { kind: 'flag', help: '' },
  debug: { kind: 'flag', help: '' },
};
const read = (text: string) => parseServiceFile(text, 'roof', POSITIONALS, OPTIONS);
const silent = { error: () => {}, info: () => {}, debug: () => {} };

test('rows have arguments, flags and a frequency; columns with an underscore are ignored', () => {
  const { rows, faults } = read(`_name, _plugin, endpoint, bus_addresses, output_directory, flags, frequency
roof,sunspec,10.0.0.5,1-3,/opt/albedo/logs,,60
yard,sunspec,10.0.0.6, "1-4,7",/opt/albedo/logs,changes_only:debug,
`);
  expect(faults).toEqual([]);
  expect(rows.map(({ name, line, intervalMs }) => [name, line, intervalMs])).toEqual([
    ['roof', 2, 60_000],
    ['yard', 3, 5000],
  ]);
  expect(rows[1]?.args.text('bus_addresses')).toBe('1-4,7');
  expect([rows[0]?.args.flag('debug'), rows[1]?.args.flag('debug')]).toEqual([false, true]);
});

test('a bad row is reported with its line and the others stay', () => {
  const { rows, faults } = read(`endpoint,bus_addresses,output_directory,port,flags,frequency
10.0.0.1,1,/logs,x,,5
10.0.0.2,1,/logs,,,5
,1,/logs,,,5
10.0.0.4,1,/logs,,quiet,5
10.0.0.5,1,/logs,,,0
10.0.0.6,1,2,/logs,,,5
`);
  expect(rows.map(({ line }) => line)).toEqual([3]);
  expect(faults.map(({ message }) => message)).toEqual([
    'roof, line 2: port: "x" is no whole number',
    'roof, line 4: endpoint is missing',
    'roof, line 5: flags: there is no flag "quiet"',
    'roof, line 6: frequency: "0" is no whole number of seconds from 1',
    'roof, line 7: 7 values for 6 columns; quote a value with commas',
  ]);
});

test.each([
  ['', /is empty/],
  ['endpoint,bus_addresses\n1,2', /output_directory is missing/],
  ['endpoint,bus_addresses,output_directory,colour\n', /no argument "colour"/],
  ['endpoint,bus_addresses,output_directory\n', /no valid row/],
  ['endpoint,bus_addresses,output_directory\n,,\n', /line 2: endpoint is missing[\s\S]*no valid row/],
])('the service file %j is an error', (text, message) => {
  expect(() => read(text)).toThrow(message);
});

/** Runs tasks on a clock of the test for so long. */
async function superviseFor(ms: number, tasks: Parameters<typeof superviseTasks>[0], errors: string[] = []) {
  vi.useFakeTimers();
  try {
    const stop = new AbortController();
    const log = { ...silent, error: (text: string) => void errors.push(text) };
    const done = superviseTasks(tasks, log, stop.signal);
    await vi.advanceTimersByTimeAsync(ms);
    stop.abort();
    await vi.advanceTimersByTimeAsync(1);
    await done;
  } finally {
    vi.useRealTimers();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('the first run comes after an interval, and a run shortens the wait that follows', async () => {
  const starts: number[] = [];
  const run = async () => {
    starts.push(performance.now());
    await pause(400);
  };
  await superviseFor(3500, [{ name: 'a', intervalMs: 1000, run }]);
  expect(starts.map((at) => Math.round(at - (starts[0] ?? 0)))).toEqual([0, 1000, 2000]);
});

test('a task that hangs is aborted after its interval, reported, and does not hold up the others', async () => {
  const errors: string[] = [];
  let aborted = 0;
  let runs = 0;
  const hang = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => aborted++);
    return new Promise<void>(() => {});
  };
  const other = async () => void runs++;
  await superviseFor(
    10_500,
    [
      { name: 'hanging', intervalMs: 2000, run: hang },
      { name: 'other', intervalMs: 1000, run: other },
    ],
    errors,
  );
  expect(errors).toEqual(Array(4).fill('hanging: aborted after 2 s'));
  expect(aborted).toBeGreaterThanOrEqual(4);
  expect(runs).toBe(10);
});

test('a task that fails is reported and goes on', async () => {
  const errors: string[] = [];
  let runs = 0;
  const run = async () => {
    if (++runs === 2) throw new Error('no answer');
  };
  await superviseFor(3500, [{ name: 'roof', intervalMs: 1000, run }], errors);
  expect([runs, errors]).toEqual([3, ['roof: no answer']]);
});
