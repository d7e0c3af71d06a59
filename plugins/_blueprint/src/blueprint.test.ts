import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPlugin } from '@albedo/plugin-kit/run-plugin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { blueprintPlugin } from './blueprint.plugin.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-blueprint-'));
  mkdirSync(join(folder, 'thermal_zone0'));
  writeFileSync(join(folder, 'thermal_zone0/type'), 'cpu-thermal\n');
  writeFileSync(join(folder, 'thermal_zone0/temp'), '48250\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a sensor is logged in degrees, and a missing one is reported', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const args = ['log', folder, '0-1', join(folder, 'logs'), '--offset=-0.5'];
  const code = await runPlugin(blueprintPlugin, args, new AbortController().signal);
  const said = write.mock.calls.map(([text]) => text).join('');
  write.mockRestore();
  expect([code, said]).toEqual([1, expect.stringContaining('zone 1: ENOENT')]);
  const [header, line] = readFileSync(join(folder, 'logs/board/thermal/0/latest.csv'), 'utf8').split('\n');
  expect(header).toBe('# Datetime(date),Temperature(decimal:°C)');
  expect(line).toMatch(/,47\.75$/);
});
