import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Options } from '../command-line/arguments.ts';
import { withSecrets } from '../command-line/secrets.ts';
import { sourceName } from '../records/record.ts';
import { parseFieldFile } from './field-file.ts';
import { columnValue, fieldValue, plainText } from './field-value.ts';
import { parseNotMeasured, saysNothing } from './not-measured.ts';
import { parsePath, valueAt } from './value-path.ts';

test.each<[Parameters<typeof columnValue>[0], unknown, unknown]>([
  ['integer', '42', 42],
  ['integer', 42.5, null],
  ['integer', 2n ** 60n, '1152921504606846976'],
  ['integer', '1152921504606846977', '1152921504606846977'],
  ['decimal', ' -1.5e3 ', -1500],
  ['decimal', Number.NaN, null],
  ['decimal', '', null],
  ['decimal', '0x10', null],
  ['decimal', {}, null],
  ['bool', 'OFF', false],
  ['bool', 2, true],
  ['bool', 'maybe', null],
  ['date', 1_767_225_600, new Date('2026-01-01T00:00:00Z')],
  ['date', 1_767_225_600_000, new Date('2026-01-01T00:00:00Z')],
  ['date', 'never', null],
  ['date', 1e300, null],
  ['keyword', 'a\u001b[31m\nb\u202e', 'a [31m b'],
  ['keyword', { a: 1 }, '{"a":1}'],
])('as %s, %s is %s', (type, raw, value) => {
  expect(columnValue(type, raw)).toEqual(value);
});

test.each<[string, unknown, unknown]>([
  ['65535;-1;N/A', 65_535, null],
  ['65535;-1;N/A', ' -1.0', null],
  ['65535;-1;N/A', 'n/a', null],
  ['65535;-1;N/A', 6553.4, 655.34],
  ['18446744073709551615', 2n ** 64n - 1n, null],
  ['0xFFFF', '65535', null],
  ['', 65_535, 6553.5],
])('where "%s" means not measured, %s is %s', (notMeasured, raw, value) => {
  const line = `t, s, v, a, decimal, V, 0.1, , ${notMeasured}`;
  const [field] = parseFieldFile(line, 'file', () => {});
  expect(field && fieldValue(field, raw)).toBe(value);
});

test('what means "not measured" is checked when the file is read', () => {
  expect(() => parseNotMeasured('0xZZ')).toThrow('"0xzz" is no number such as 0xFFFF');
  expect(() => parseNotMeasured('none;65535')).toThrow('"none" stands alone');
  expect(() => parseFieldFile('t, s, v, a, decimal, V, 0.1, , 0x', 'file', () => {})).toThrow('file, line 1');
});

test('types that name what they say there is nothing with are known by it, accumulators also by ones', () => {
  expect(saysNothing('int16', [0x8000])).toBe(true);
  expect(saysNothing('int16', [0xffff])).toBe(false);
  expect(saysNothing('uint32', [0xffff, 0xffff])).toBe(true);
  expect(saysNothing('acc32', [0, 0])).toBe(true);
  expect(saysNothing('acc32', [0xffff, 0xffff])).toBe(true);
  expect(saysNothing('acc64', [0, 0, 0, 1])).toBe(false);
});

test('a text without an end is cut, and one that cannot be written is empty', () => {
  expect(plainText('x'.repeat(1e6))).toHaveLength(1000);
  let deep: unknown[] = [];
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(plainText(deep)).toBe('');
});

test('a path leads through names and numbers, and never to what an object has inherited', () => {
  const page = { power: { phases: [{ watts: 1 }, { watts: 2 }] }, 'a.b': 3 };
  expect(valueAt(page, parsePath('$.power.phases[-1].watts'))).toBe(2);
  expect(valueAt(page, parsePath('["a.b"]'))).toBe(3);
  expect(valueAt(page, parsePath('constructor.name'))).toBeUndefined();
  expect(valueAt(page, parsePath('power.phases.length'))).toBeUndefined();
  expect(() => parsePath('a..b')).toThrow('path: "a..b"');
});

test.each([
  [['..', '..', 'etc'], '_/_/etc'],
  [['a/../b', 3], 'a/_/b/3'],
  [['x\0y\n'], 'x_y_'],
  [['', '/'], '_'],
])('the parts %j are the folder %s', (parts, name) => {
  expect(sourceName(parts)).toBe(name);
});

test('a secret comes from a file or the environment, and is refused on the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-secret-'));
  const options = { password: { kind: 'secret', default: '', help: '' } } as const satisfies Options;
  const file = join(folder, 'password');
  writeFileSync(file, 'from, a file\nsecond line\n');
  expect(withSecrets({ password: `@${file}` }, options, {})).toEqual({ password: 'from, a file' });
  expect(withSecrets({}, options, { ALBEDO_PLUGIN_PASSWORD: 'of here' })).toEqual({ password: 'of here' });
  expect(() => withSecrets({ password: 'plain' }, options, {})).toThrow('others can read a command line');
  expect(() => withSecrets({ password: '@/none' }, options, {})).toThrow('password /none');
  rmSync(folder, { recursive: true });
});
