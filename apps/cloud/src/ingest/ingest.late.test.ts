import { expect, test, vi } from 'vitest';
import type { Bus } from '../bus/bus.ts';
import { LateEvents } from './ingest.late.ts';

const NOW = Date.UTC(2026, 4, 20, 12);
const HOUR_MS = 3_600_000;

test('what is older than an hour is told with its oldest event, once a minute unless it gets older', () => {
  const publish = vi.fn(async () => {});
  const late = new LateEvents({ publish } as unknown as Bus);
  const arrive = (at: number, now = NOW) =>
    late.hear(
      {
        workgroup: 'main',
        device: 'roof',
        streams: [
          {
            table: 't',
            source: 's',
            fields: [],
            rows: [
              [1, now],
              [2, at],
            ],
          },
        ],
      },
      now,
    );
  const told = () =>
    publish.mock.calls.map(([, message]: unknown[]) => (message as { oldestAt: number }).oldestAt);
  arrive(NOW - 1000);
  expect(told()).toEqual([]);
  arrive(NOW - 5 * HOUR_MS);
  arrive(NOW - 4 * HOUR_MS);
  expect(told()).toEqual([NOW - 5 * HOUR_MS]);
  arrive(NOW - 6 * HOUR_MS);
  arrive(NOW - 4 * HOUR_MS, NOW + 61_000);
  expect(told()).toEqual([NOW - 5 * HOUR_MS, NOW - 6 * HOUR_MS, NOW - 4 * HOUR_MS]);
});
