import { expect, test } from 'vitest';
import { loadOf } from './alarm-load.ts';
import { severitiesOf } from './incident-state.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const FROM = Date.UTC(2026, 4, 1);

type Told = Parameters<typeof loadOf>[0]['told'][number];
const told = (minute: number, subject: string, severity = 'low', of: Partial<Told> = {}): Told => ({
  at: new Date(FROM + minute * MINUTE),
  incident: subject,
  alert: 'rule',
  name: 'Rule',
  subject,
  subjectKey: subject,
  severity,
  device: null,
  source: null,
  createdAt: new Date(FROM + minute * MINUTE),
  closedAt: null,
  clearedAt: new Date(FROM + (minute + 1) * MINUTE),
  ...of,
});

test('the load is what somebody counts by hand in the log', () => {
  // A quiet day with one hour of trouble: 12 within ten minutes, then every half an hour one of the same subject.
  const flood = Array.from({ length: 12 }, (_, i) => told(600 + i * 0.75, `s${i}`, i < 2 ? 'medium' : 'low'));
  const again = Array.from({ length: 8 }, (_, i) => told(700 + i * 30, 'bad', i === 0 ? 'high' : 'low'));
  const { metrics, total, badActors, course } = loadOf({
    from: FROM,
    to: FROM + DAY,
    told: [...flood, ...again],
    standing: [],
    severities: severitiesOf({}),
  });
  const value = (name: string) => metrics.find((one) => one.name === name)?.value;
  expect(total).toBe(20);
  expect(value('averagePer10Minutes')).toBe(0.14);
  expect(value('mostIn10Minutes')).toBe(12);
  // From the eleventh, 7.5 minutes after the first, until fewer than five are left: the eighth leaves 15.25 minutes after it.
  expect(value('floodPercent')).toBeCloseTo((7.75 / 1440) * 100, 1);
  expect([value('highPercent'), value('mediumPercent'), value('lowPercent')]).toEqual([5, 10, 85]);
  expect(value('topTenPercent')).toBe(85);
  expect([value('stale'), value('chattering'), value('standing')]).toEqual([0, 0, 0]);
  expect(metrics.find(({ name }) => name === 'mostIn10Minutes')?.isMet).toBe(false);
  expect(badActors[0]).toMatchObject({
    subject: 'bad',
    count: 8,
    percent: 40,
    cure: { change: 'clearMinutes', minutes: 30, count: 1 },
  });
  expect(course[0]).toEqual({ at: FROM + 600 * MINUTE, count: 12 });
});

test('three within a minute chatter, and what stood longer than a day is stale', () => {
  const chatter = [0, 0.2, 0.4].map((minute) => told(minute, 'door'));
  const old = told(0, 'old', 'low', { clearedAt: null });
  const { metrics } = loadOf({
    from: FROM,
    to: FROM + 3 * DAY,
    told: [...chatter, old],
    standing: [old],
    severities: severitiesOf({}),
  });
  const value = (name: string) => metrics.find((one) => one.name === name)?.value;
  expect([value('chattering'), value('stale'), value('standing')]).toEqual([1, 1, 1]);
});

test('without any alarm nothing is said of shares', () => {
  const { metrics } = loadOf({
    from: FROM,
    to: FROM + DAY,
    told: [],
    standing: [],
    severities: severitiesOf({}),
  });
  expect(metrics.filter(({ value }) => value === null).map(({ name }) => name)).toEqual([
    'topTenPercent',
    'lowPercent',
    'mediumPercent',
    'highPercent',
  ]);
});
