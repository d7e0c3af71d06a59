import { SHELL_LIMITS } from '@albedo/contract/shells/shells.schema';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Shells } from './shells.service.ts';

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A shell on a device that says nothing and never ends by itself. */
function openShell() {
  const ended: unknown[] = [];
  const told: unknown[] = [];
  const audit: { action: string; newValue?: string | null }[] = [];
  const shells = new Shells({
    store: {
      access: async () => ({ isAllowed: true, changedBy: null, changedAt: null }),
      start: async () => true,
      keep: async () => {},
      end: async (_id: string, why: string) => ended.push(why),
    } as never,
    approvals: {} as never,
    stepUp: {} as never,
    deviceAsks: {
      open: (_device: string, _what: string, _of: object, { signal }: { signal: AbortSignal }) => ({
        write: async () => {},
        tell: async (value: unknown) => void told.push(value),
        result: new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason))),
      }),
    } as never,
    audit: { record: (entry: (typeof audit)[number]) => audit.push(entry) } as never,
    bus: {} as never,
    isOnline: () => true,
    tell: () => {},
  });
  const session = { _id: 'u', email: 'zoe@example.org' } as never;
  const by = { workgroup: 'main', deviceId: 'd', session, address: '', shellId: 's', cols: 80, rows: 24 };
  const run = shells.run({ ...by, signal: new AbortController().signal }, { onReady() {}, onOutput() {} });
  const key = () => shells.find('s', session).keys('x');
  return { shells, run, key, ended, told, audit };
}

test('a terminal that nobody types into ends after a quarter of an hour, and the audit log says why', async () => {
  const { run, key, ended, audit } = openShell();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  key();
  await vi.advanceTimersByTimeAsync(SHELL_LIMITS.idleMs - 1000);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await run).toEqual({ end: 'idle', exitCode: null });
  expect(ended).toEqual(['idle']);
  expect(audit).toEqual([expect.objectContaining({ action: 'close', newValue: 'idle' })]);
});

test('a terminal ends after an hour, however busy it is', async () => {
  const { run, key, ended } = openShell();
  for (let minute = 0; minute < 59; minute += 1) {
    await vi.advanceTimersByTimeAsync(MINUTE);
    key();
  }
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect((await run).end).toBe('time');
  expect(() => key()).toThrow();
});

test('a terminal is hung up, and cut off at once where all remote access is switched off', async () => {
  const idle = openShell();
  await vi.advanceTimersByTimeAsync(SHELL_LIMITS.idleMs);
  await idle.run;
  expect(idle.told).toEqual([]);
  const forbidden = openShell();
  await vi.advanceTimersByTimeAsync(0);
  forbidden.shells.endAll('main');
  expect((await forbidden.run).end).toBe('switched_off');
  expect(forbidden.told).toEqual([{ isCutOff: true }]);
});
