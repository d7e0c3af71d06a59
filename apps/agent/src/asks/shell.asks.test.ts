import { expect, test, vi } from 'vitest';
import { shellAsks } from './shell.asks.ts';

vi.mock('./pty.ts', () => ({
  openPty: () => {
    throw new Error('forkpty(3) failed.');
  },
}));

test('a machine that gives no terminal says so in a sentence', async () => {
  const { signal } = new AbortController();
  const asked = { input: { cols: 80, rows: 24 }, signal, onTell: () => {} } as never;
  await expect(shellAsks.shell(asked)).rejects.toMatchObject({
    error: 'unable',
    message: expect.stringMatching(/^The device gives no terminal: too many are open/),
  });
});
