/** What comes from devices and from people is hostile until checked, with the real agent as a process of its own. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { confirmed } from './harness/confirmed.ts';
import { agent, ask, cloud, onDevice, token, withDevice } from './harness/owners-device.ts';

/** Values that a shell, a table or an object could take for something of their own. */
const WORDS = [
  '$(touch HIT)',
  '`touch HIT`',
  "'; touch HIT; '",
  '"$HOME"',
  '*',
  '-rf',
  '\\',
  '__proto__',
  '{what}',
];

withDevice('$(reboot)');

const call = (method: string, path: string, body?: object) =>
  cloud.call(method, `devices/main/${path}`, { token, ...(body ? { body } : {}) });

test('a value of a command is one word to the shell, whatever stands in it', async () => {
  const saved = await call('POST', `${agent.device.id}/commands`, {
    name: '__proto__',
    command: `cd ${agent.root} && printf '%s|' {what} {constructor}`,
    parameters: [{ name: 'what' }, { name: 'constructor', default: 'd' }],
  });
  expect(saved).toMatchObject({ status: 200, body: { name: '__proto__' } });
  for (const what of WORDS) {
    const run = await call('POST', `device/commands/${saved.body._id}/run`, {
      devices: [agent.device.id],
      values: { what },
    });
    expect(run, what).toMatchObject({ status: 200 });
    const outcome = async () => (await cloud.call('GET', `command-runs/main/${run.body.id}`, { token })).body;
    await expect.poll(outcome, { timeout: 15_000 }).toMatchObject([{ stdout: `${what}|d|`, returnCode: 0 }]);
  }
  expect(existsSync(join(agent.root, 'HIT'))).toBe(false);
});

test('output of binary, of escapes and of one line without an end neither hurts nor hides what comes next', async () => {
  const binary = await ask('device:cmd', { cmd: "printf 'a\\000b\\033[2J\\377\\033]0;title\\007c'" });
  expect(binary.data).toMatchObject({
    returnCode: 0,
    stdout: 'a\u0000b\u001b[2J\ufffd\u001b]0;title\u0007c',
  });
  const long = await ask('device:cmd', { cmd: "head -c 4194304 /dev/zero | tr '\\0' x" });
  const { stdout } = long.data as { stdout: string };
  expect(stdout.length).toBeLessThan(1_100_000);
  expect(stdout.slice(-60)).toMatch(/x\n\[cut: \d+ more characters\]\n$/);
  expect((await ask('device:cmd', { cmd: 'echo still here' })).data).toMatchObject({
    stdout: 'still here\n',
  });
});

test('devices may be called whatever people like; where a name becomes a file or a cell it is harmless', async () => {
  const names = ['__proto__', '=cmd|calc', '"><script>', "a'b", 'constructor'];
  for (const name of names)
    expect((await cloud.call('POST', 'devices/main', { token, body: { name } })).status, name).toBe(200);
  for (const name of ['two\nlines', 'reads as \u202egnp.exe', 'inside \u2066out'])
    expect((await cloud.call('POST', 'devices/main', { token, body: { name } })).status, name).toBe(400);
  const { body: all } = await cloud.call('GET', 'devices/main?nameonly=true', { token });
  for (const name of [...names, '$(reboot)'])
    expect(
      all.filter((one: { name: string }) => one.name === name),
      name,
    ).toHaveLength(1);
  const csv = (await cloud.call('GET', 'bulk-actions/main/devices.csv', { token })).body as string;
  // A table program must not take a name for a formula.
  expect(csv).not.toMatch(/(^|,)"?=cmd/m);
});

test('what the plant refuses in its own configuration, nobody in the cloud can have', async () => {
  const file = join(agent.root, 'etc/albedo/albedo.yaml');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, `${before}remote: {commands: false, shell: false, files: false}\n`);
  const refused = async () => (await ask('device:cmd', { cmd: 'true' })).data;
  await expect
    .poll(refused, { timeout: 20_000 })
    .toMatchObject({ returnCode: null, error: expect.stringContaining('remote') });
  const opened = await cloud.call('POST', onDevice('shells'), { token: await confirmed(cloud) });
  const of = { shellId: opened.body.id, cols: 80, rows: 24 };
  expect((await ask('device:shell', of)).error?.error).toBe('device.refused');
  // Nor can a configuration that comes from there lift it.
  const applied = await ask('device:applyConfig', { config: before });
  expect(applied.data ?? applied.error).not.toMatchObject({ isApplied: true });
  expect(readFileSync(file, 'utf8')).toContain('commands: false');
});
