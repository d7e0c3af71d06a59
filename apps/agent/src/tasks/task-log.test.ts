import { expect, test } from 'vitest';
import { TaskLog } from './task-log.ts';

test('a log has the last 100 lines of a task, with how each run ended', () => {
  const log = new TaskLog();
  const run = (stdout: string, returnCode = 0) =>
    log.heard('5m/roof', { stdout, stderr: '', returnCode, error: null, killed: false } as never);
  run('first\n', 3);
  expect(log.lines('5m/roof').map((line) => line.slice(25))).toEqual(['first', 'ended with code 3']);
  for (let i = 0; i < 60; i++) run(`line ${i}\n`);
  const lines = log.lines('5m/roof');
  expect(lines).toHaveLength(100);
  expect([lines.at(0), lines.at(-2)]).toEqual([
    expect.stringMatching(/ line 10$/),
    expect.stringMatching(/ line 59$/),
  ]);
  expect(log.lines('5m/other')).toEqual([]);
});
