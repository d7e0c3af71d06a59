import { execFileSync } from 'node:child_process';
import { commandParameter } from '@albedo/contract/device-commands/device-commands.schema';
import { expect, test } from 'vitest';
import { commandLine } from './command-line.ts';

const text = commandParameter.parse({ name: 'what' });

test('a value is one word to the shell, whatever stands in it', () => {
  for (const what of ["it's; rm -rf / #", '$(id) `id` "a"', '{what}', '-n', 'a\nb', '*']) {
    const line = commandLine('printf "%s|" {what} {other}', [text], { what });
    expect(execFileSync('/bin/sh', ['-c', line]).toString()).toBe(`${what}|{other}|`);
  }
});

test('a value that is missing, no number or none of the choices is refused', () => {
  const number = commandParameter.parse({ name: 'n', type: 'number' });
  const choice = commandParameter.parse({ name: 'c', type: 'choice', options: ['on', 'off'], default: 'on' });
  expect(commandLine('{n} {c}', [number, choice], { n: '-1.5' })).toBe("'-1.5' 'on'");
  expect(() => commandLine('{n}', [number], {})).toThrow('Give a value for n.');
  expect(() => commandLine('{n}', [number], { n: '1e3; id' })).toThrow('n cannot be');
  expect(() => commandLine('{c}', [choice], { c: 'maybe' })).toThrow('c cannot be maybe.');
});
