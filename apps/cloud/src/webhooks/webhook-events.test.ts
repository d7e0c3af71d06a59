import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebhookEvents } from './webhook-events.service.ts';
import type { NewDelivery } from './webhooks.store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const WEBHOOK = crypto.randomUUID();

/** Events over a database that answers nothing while it is down. */
function buildEvents() {
  const database = { isDown: false };
  const written: number[] = [];
  const events = new WebhookEvents({
    store: {
      transaction: async (task) => task({} as never),
      wanting: async () => [{ id: WEBHOOK, events: ['device.online'] }],
      addDeliveries: async (rows: readonly NewDelivery[]) => {
        if (database.isDown) throw new Error('The connection is closed.');
        written.push(...rows.map(({ body }) => JSON.parse(body).data.i));
      },
    },
    wake: async () => {},
    now: Date.now,
    log: pino({ level: 'silent' }),
  });
  const tell = async (i: number) => {
    events.tell('main', { event: 'device.online', at: 0, data: { i } });
    await events.settled();
  };
  return { database, written, events, tell };
}

test('what cannot be written is written later, in the order in which it happened', async () => {
  const { database, written, tell } = buildEvents();
  database.isDown = true;
  await tell(1);
  await tell(2);
  await vi.advanceTimersByTimeAsync(10_000);
  database.isDown = false;
  await tell(3);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual([1, 2, 3]);
  await tell(4);
  expect(written).toEqual([1, 2, 3, 4]);
});

test('it is tried for ten minutes and once more at the stop, and so many events are kept for that', async () => {
  const { database, written, events, tell } = buildEvents();
  database.isDown = true;
  await tell(0);
  await vi.advanceTimersByTimeAsync(601_000);
  database.isDown = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written).toEqual([]);
  database.isDown = true;
  await tell(1);
  for (let i = 2; i <= 10_001; i++) events.tell('main', { event: 'device.online', at: 0, data: { i } });
  database.isDown = false;
  await events.stop();
  expect(written).toHaveLength(10_000);
  expect(written[0]).toBe(2);
});
