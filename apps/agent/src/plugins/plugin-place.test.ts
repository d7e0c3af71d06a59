import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rootAt } from '../root.ts';
import { installedPlugins } from './plugin-place.ts';

test.each([
  ['modbus', 5_000_001, true],
  ['modbus', 5_000_000, false],
  ['sunspec', 5_000_001, false],
])('a program of %s of %i bytes is the Rust build: %s', (name, bytes, isRust) => {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-place-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [commands, packed] = [join(folder, 'usr/local/bin'), join(folder, 'usr/lib/albedo/plugins')];
  for (const folder of [commands, packed]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(commands, `${name}_albedo`), '');
  const program = join(packed, `${name}_albedo.mjs`);
  writeFileSync(program, '');
  truncateSync(program, bytes);
  expect(installedPlugins(rootAt(folder))).toMatchObject([{ name, sizeBytes: bytes, isRust }]);
});
