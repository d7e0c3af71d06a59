import { decodeFrame, encodeFrame, FRAME_LIMITS, type FrameHeader } from '@albedo/contract/link/link.frames';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeviceAsks } from './device-asks.service.ts';

/** What the device heard, and whether it listens. */
let heard: FrameHeader[];
let listens: boolean;
let asks: DeviceAsks;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  heard = [];
  listens = false;
  asks = new DeviceAsks({
    isOnline: () => true,
    send: async (_device, bytes) => {
      const frame = decodeFrame(bytes);
      if (listens && frame) heard.push(frame.header);
      return listens;
    },
  });
  asks.start();
});

afterEach(() => {
  asks.stop();
  vi.useRealTimers();
});

test('a device that has just come hears of nothing before it is opened', async () => {
  asks.arrived('roof');
  const answer = asks.ask('roof', 'identity.read', {});
  await Promise.resolve();
  // It begins to listen between two tries, and just then it would be told that the cloud is still there.
  listens = true;
  vi.advanceTimersByTime(FRAME_LIMITS.aliveMs);
  await vi.waitFor(() => expect(heard).not.toEqual([]));
  expect(heard).toMatchObject([{ t: 'open', kind: 'identity.read' }]);
  vi.advanceTimersByTime(FRAME_LIMITS.aliveMs);
  const id = heard[0]?.id ?? '';
  expect(heard[1]).toEqual({ t: 'alive', id });
  asks.receive('roof', encodeFrame({ t: 'failed', id, error: 'busy', message: '' }));
  await expect(answer).rejects.toMatchObject({ error: 'device.busy' });
});

test('a frozen device is waited for as long as its kind says, and the refusal names that time', async () => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  listens = true;
  const answer = asks.ask('roof', 'config.test', { text: '' });
  const refused = expect(answer).rejects.toMatchObject({
    error: 'device.no_answer',
    message: 'The device did not answer within 30 s.',
  });
  await vi.waitFor(() => expect(heard).toMatchObject([{ t: 'open', limitMs: 27_000 }]));
  vi.advanceTimersByTime(29_999);
  expect(asks.size).toBe(1);
  vi.advanceTimersByTime(1);
  await refused;
});
