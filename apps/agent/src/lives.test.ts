import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Lives } from './lives.ts';
import { createLog } from './log.ts';

test('an end that nobody asked for is a crash, a stop is none, and a lost power supply is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-lives-'));
  const next = () => {
    const lives = new Lives(folder, createLog('error'));
    lives.begin();
    return lives;
  };
  next().end();
  next();
  expect(next()).toMatchObject({ starts: 3, crashes: 1 });
  writeFileSync(
    join(folder, 'lives.json'),
    JSON.stringify({ starts: 3, crashes: 1, isRunning: true, boot: 'an earlier one' }),
  );
  expect(next()).toMatchObject({ starts: 4, crashes: 1 });
  writeFileSync(join(folder, 'lives.json'), '{');
  expect(next()).toMatchObject({ starts: 1, crashes: 0 });
  rmSync(folder, { recursive: true });
});
