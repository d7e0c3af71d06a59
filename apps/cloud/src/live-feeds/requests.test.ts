import { devicesActions } from '@albedo/contract/devices/devices.socket';
import type { RequestMessage } from '@albedo/contract/link/link.messages';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Requests } from './requests.ts';

let sent: RequestMessage[] = [];
let requests: Requests;
const { signal } = new AbortController();
const parsed = devicesActions['device:cmd'].request.parse;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  requests = new Requests(async (_device, request) => {
    sent.push(request);
    return true;
  });
});
afterEach(() => vi.useRealTimers());

/** What a device that never answers is refused with, and after which time. */
async function refusalOf(answer: Promise<unknown>, afterMs: number): Promise<string> {
  let said = '';
  answer.catch((error: Error) => {
    said = error.message;
  });
  await vi.advanceTimersByTimeAsync(afterMs - 1);
  expect(said).toBe('');
  await vi.advanceTimersByTimeAsync(1);
  return said;
}

test('a command of a frozen device ends after 15 s, or after what its caller gives it', async () => {
  const command = (more: object) => {
    const { deviceId: _, ...rest } = parsed({ deviceId: crypto.randomUUID(), cmd: 'uptime', ...more });
    return requests.command('roof', rest, signal);
  };
  expect(await refusalOf(command({}), 15_000)).toBe('The device did not answer within 15 s.');
  expect(await refusalOf(command({ timeoutS: 60 }), 60_000)).toBe('The device did not answer within 60 s.');
  expect(await refusalOf(command({ timeoutS: 1 }), 2000)).toBe('The device did not answer within 2 s.');
  // A device that is there says itself that it ended the command.
  expect(sent.map((one) => 'timeoutS' in one && one.timeoutS)).toEqual([14, 59, 1]);
});

test('the meta of a frozen device is waited for for 120 s', async () => {
  expect(await refusalOf(requests.meta('roof', signal), 120_000)).toBe(
    'The device did not answer within 120 s.',
  );
  expect(requests.size).toBe(0);
});
