/** Service files that people and plugins put on the device itself are taken up while the agent runs. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const AGENT = join(import.meta.dirname, '../main.ts');
const HOUSE = join(import.meta.dirname, '../../../..');
const PATIENCE = { timeout: 20_000, interval: 100 };
let root: string;
let agent: ChildProcess;
let said = '';
const at = (path: string) => join(root, path);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'albedo-watch-'));
  for (const folder of ['etc/albedo/services', 'usr/local/bin', 'opt/albedo/plugins'])
    mkdirSync(at(folder), { recursive: true });
  const link = '{hostname: 127.0.0.1, port: 1, cacertfile: /a, certfile: /b, keyfile: /c}';
  writeFileSync(at('etc/albedo/albedo.yaml'), `mqtt: ${link}\nmachine: false\n`);
  // The plugin knows its root by where it lies.
  symlinkSync(HOUSE, at('opt/albedo/plugins/house'));
  const program = at('opt/albedo/plugins/house/plugins/sunspec/src/main.ts');
  const command = `#!/bin/sh\nexec "${process.execPath}" --preserve-symlinks-main "${program}" "$@"\n`;
  writeFileSync(at('usr/local/bin/sunspec_albedo'), command, { mode: 0o755 });
  said = '';
  agent = spawn(process.execPath, [AGENT, 'run', '--root', root]);
  agent.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  agent.stderr?.on('data', (chunk) => {
    said += chunk;
  });
});
afterEach(async () => {
  const gone = once(agent, 'exit');
  agent.kill('SIGTERM');
  await gone;
  rmSync(root, { recursive: true, force: true });
});

const service = (args: string[]) =>
  spawnSync(at('usr/local/bin/sunspec_albedo'), ['activate-service', ...args], { encoding: 'utf8' });

test('activate-service has the agent run a checked file; one that is removed ends', async () => {
  await vi.waitFor(() => expect(said).toContain('runs below'), PATIENCE);
  const file = at('roof');
  const header = 'endpoint,bus_addresses,output_directory';
  writeFileSync(file, `${header}\n127.0.0.1,one,${at('opt/albedo/logs')}\n`);
  expect(service([file])).toMatchObject({ status: 2, stderr: expect.stringContaining('line 2') });
  writeFileSync(file, `# ours\n${header}\n127.0.0.1,1,${at('opt/albedo/logs')}\n`);
  const done = service([file]);
  expect(done.stdout).toContain(`${at('etc/albedo/services/roof')}: 1 row; the agent takes it up`);
  expect(readFileSync(at('etc/albedo/services/roof'), 'utf8')).toMatch(
    /^# ours\n_plugin,endpoint,.*\nsunspec,127\.0\.0\.1,1,/,
  );
  await vi.waitFor(() => expect(said).toContain('services: roof is taken up'), PATIENCE);
  const running = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  await vi.waitFor(() => expect(running()).toContain(`service ${at('etc/albedo/services/roof')}`), PATIENCE);
  rmSync(at('etc/albedo/services/roof'));
  await vi.waitFor(() => expect(said).toContain('services: roof has ended'), PATIENCE);
  expect(running()).not.toContain(`service ${at('etc/albedo/services/roof')}`);
}, 60_000);
