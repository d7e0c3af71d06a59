import { KEPT_SECRET } from '@albedo/contract/plugins/plugins.schema';
import { expect, test } from 'vitest';
import { filledFile, filledTask, hiddenFile, hiddenTask, keptOfFile, keptOfTask } from './kept-secrets.ts';

const secret = (name: string) => (name === 'pw' || name === 'password' ? 'password' : null);
const FILE = `# meters of the yard
_name,_plugin,endpoint,pw,frequency
roof,sql,10.0.0.5,"a ""b"", \\c",60
#shed,sql,10.0.0.6,left over,60
yard,sql,10.0.0.7,,60
`;

test('passwords are hidden, also in a row that is commented out, and nothing else changes', () => {
  expect(hiddenFile(FILE, secret)).toBe(`# meters of the yard
_name,_plugin,endpoint,pw,frequency
roof,sql,10.0.0.5,${KEPT_SECRET},60
#shed,sql,10.0.0.6,${KEPT_SECRET},60
yard,sql,10.0.0.7,,60
`);
});

test('a file that comes back as it was told is the file that was there', () => {
  const windows = FILE.replaceAll('\n', '\r\n');
  for (const text of [FILE, windows, FILE.trimEnd(), `\uFEFF${FILE}`])
    expect(filledFile(hiddenFile(text, secret), secret, keptOfFile(text, secret))).toBe(text);
});

test('a row that moves keeps its password, one that is new has to say it', () => {
  const kept = keptOfFile(FILE, secret);
  const moved = `_name,_plugin,pw\nnew,sql,other\nroof,sql,${KEPT_SECRET}\n`;
  expect(filledFile(moved, secret, kept)).toBe('_name,_plugin,pw\nnew,sql,other\nroof,sql,"a ""b"", \\c"\n');
  const unknown = `_name,_plugin,pw\nnew,sql,${KEPT_SECRET}\n`;
  expect(() => filledFile(unknown, secret, kept)).toThrow('what password was is not known on this device');
  const empty = hiddenFile(FILE, secret).replace('10.0.0.7,,', `10.0.0.7,${KEPT_SECRET},`);
  expect(() => filledFile(empty, secret, kept)).toThrow('enter it again');
});

test.each(['roof,sql,10.0.0.5,"never closed', 'roof,sql,a,b,c,too many,cells'])(
  'of a row that nobody can read nothing is told: %s',
  (row) => {
    const text = `_name,_plugin,endpoint,pw,frequency\n${row}\n`;
    const told = hiddenFile(text, secret);
    expect(told).not.toMatch(/never|cells/);
    expect(filledFile(told, secret, keptOfFile(text, secret))).toBe(text);
  },
);

test('a task tells none of its passwords, and hands them on to the service that it becomes', () => {
  const given = {
    ...{ action: 'log' as const, mandatory: ['10.0.0.5'], flags: [] },
    ...{ optional: { password: 'left', unit: '3' }, secrets: { token: "it's" } },
  };
  const told = hiddenTask(given, secret);
  expect(told.optional).toEqual({ password: KEPT_SECRET, unit: '3' });
  expect(told.secrets).toEqual({ token: KEPT_SECRET });
  expect(filledTask(told, keptOfTask(given))).toEqual(given);
  const service = `_name,_plugin,pw\nroof,sql,${KEPT_SECRET}\n`;
  expect(filledFile(service, secret, keptOfTask(given))).toBe('_name,_plugin,pw\nroof,sql,left\n');
});
