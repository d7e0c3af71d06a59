import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isCommentedOut, readScript, scriptOf, uncommented } from './task-script.ts';

const BINARY = 'modbus_albedo';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-task-'));
  // Says what it was given, a word a line, and the password that it found.
  writeFileSync(join(folder, BINARY), '#!/bin/sh\nprintf "%s\\n" "$@" "$ALBEDO_PLUGIN_PASSWORD"\n');
  chmodSync(join(folder, BINARY), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

const none = { action: 'log' as const, mandatory: [], optional: {}, flags: [], secrets: {} };
const hostile = ["'; touch /tmp/pwned; '", '$(id)', '`id`', 'a  b', '\\', '"', "it's", '*', '', '~', '&&'];

test('what people type reaches the command as it is, and no shell', () => {
  const given = {
    action: 'log' as const,
    mandatory: hostile,
    optional: Object.fromEntries(hostile.map((value, index) => [`o${index}`, value])),
    flags: ['changes_only'],
    secrets: { password: "p'w$(id)" },
  };
  const text = scriptOf(join(folder, BINARY), given);
  expect(readScript(text, BINARY)).toEqual(given);
  const file = join(folder, 'task');
  writeFileSync(file, text, { mode: 0o700 });
  const said = execFileSync(file, { encoding: 'utf8' });
  const options = hostile.map((value, index) => `--o${index}=${value}`);
  expect(said).toBe(`${['log', ...hostile, ...options, '--changes_only', "p'w$(id)"].join('\n')}\n`);
});

test.each([
  ['modbus_albedo log 10.0.0.5 1-4 /opt/albedo/logs --port=502', true],
  ['/usr/local/bin/modbus_albedo get "10.0.0.5" 1 \'/opt/albedo/logs\'', true],
  ['modbus_albedo log $HOST 1 /opt/albedo/logs', false],
  ['modbus_albedo log 10.0.0.5 | grep x', false],
  ['modbus_albedo log 10.0.0.5 & modbus_albedo log 10.0.0.6', false],
  ['modbus_albedo log 10.0.0.5\nmodbus_albedo log 10.0.0.6', false],
  ['modbus_albedo discover 10.0.0.5', true],
  ['modbus_albedo browse 10.0.0.5', false],
  ['modbus_albedo log 10.0.0.5 --port 502', false],
  ['other_albedo log modbus_albedo', false],
])('a script of the device that says %s is shown as a form: %s', (line, isForm) => {
  expect(readScript(`#!/bin/sh\n${line}\n`, BINARY) !== null).toBe(isForm);
});

test('commands that are commented out are a task that is disabled, and commands again when it is enabled', () => {
  const text = '#!/bin/sh\n# the meter\n# modbus_albedo log 10.0.0.5 1 /opt/albedo/logs\n';
  expect(isCommentedOut(text, BINARY)).toBe(true);
  expect(readScript(text, BINARY)).toEqual({ ...none, mandatory: ['10.0.0.5', '1', '/opt/albedo/logs'] });
  const live = uncommented(text, BINARY);
  expect(live).toBe('#!/bin/sh\n# the meter\nmodbus_albedo log 10.0.0.5 1 /opt/albedo/logs\n');
  expect(isCommentedOut(live, BINARY)).toBe(false);
  expect(isCommentedOut('#!/bin/sh\n# nothing\n', BINARY)).toBe(false);
});
