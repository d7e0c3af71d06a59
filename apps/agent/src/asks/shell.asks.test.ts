import { expect, test } from 'vitest';
import { terminalOf } from './shell.asks.ts';

test('a machine that gives no terminal says so in a sentence', () => {
  const open = () => {
    throw new Error('forkpty(3) failed.');
  };
  expect(() => terminalOf('/bin/sh', { cols: 80, rows: 24, cwd: '/', env: {} }, open)).toThrow(
    /^The device gives no terminal: too many are open/,
  );
});
