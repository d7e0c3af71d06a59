import type { SecurityFinding } from '@albedo/contract/security-services/security-services.schema';
import { nextWeekly } from '@albedo/contract/security-services/weekly';
import { expect, test } from 'vitest';
import { differencesOf, type Looked } from './differences.ts';

const host = (key: string, ip: string) => ({ key, addresses: [ip], description: '' });
const [INVERTER, METER, LAPTOP] = ['00:1b:21:00:00:01', '00:1b:21:00:00:02', '00:1b:21:00:00:03'] as const;
const look = (seen: Looked['seen'], rest: Partial<Looked> = {}): Looked => ({
  seen,
  isComplete: true,
  covers: () => true,
  ...rest,
});

/** One scan after the other, an hour apart; what is known after the last one, by key. */
function after(...looks: Looked[]): Record<string, SecurityFinding> {
  const known = new Map<string, SecurityFinding>();
  for (const [number, looked] of looks.entries())
    for (const finding of differencesOf([...known.values()], looked, number).findings)
      known.set(finding.key, finding);
  return Object.fromEntries(known);
}

test('a host is new, then known since, changed by its address, gone, and new again', () => {
  const first = look([host(INVERTER, '10.0.0.5')]);
  const moved = look([host(INVERTER, '10.0.0.6')]);
  expect(after(first)[INVERTER]).toMatchObject({ state: 'new', knownSince: 0, lastSeenAt: 0 });
  expect(after(first, first)[INVERTER]).toMatchObject({ state: 'known', knownSince: 0, lastSeenAt: 1 });
  expect(after(first, moved)[INVERTER]).toMatchObject({
    ...{ state: 'changed', addresses: ['10.0.0.6'], before: ['10.0.0.5'], knownSince: 0 },
  });
  expect(after(first, moved, moved)[INVERTER]).toMatchObject({ state: 'known', before: null });
  const gone = after(first, look([]), look([]))[INVERTER];
  expect(gone).toMatchObject({ state: 'gone', goneAt: 1, lastSeenAt: 0 });
  const back = after(first, look([]), moved)[INVERTER];
  expect(back).toMatchObject({ state: 'new', goneAt: null, knownSince: 0, before: null });
});

test('a scan counts what it saw, and what it missed for the first time', () => {
  const before = after(look([host(INVERTER, '10.0.0.5'), host(METER, '10.0.0.6')]), look([]));
  const { counts } = differencesOf(
    Object.values({ ...before, [METER]: { ...(before[METER] as SecurityFinding), state: 'known' } }),
    look([host(LAPTOP, '10.0.0.9')]),
    5,
  );
  expect(counts).toEqual({ new: 1, changed: 0, known: 0, gone: 1 });
});

test('a partial scan calls nothing gone, and no scan calls gone what it did not look at', () => {
  const both = look([host(INVERTER, '10.0.0.5'), host(METER, '192.168.1.5')]);
  const partial = after(both, look([host(INVERTER, '10.0.0.5')], { isComplete: false }));
  expect(partial[METER]).toMatchObject({ state: 'new', goneAt: null });
  const covers: Looked['covers'] = ({ addresses }) => addresses.every((ip) => ip.startsWith('10.'));
  const elsewhere = after(both, look([], { covers }));
  expect(elsewhere[INVERTER]?.state).toBe('gone');
  expect(elsewhere[METER]?.state).toBe('new');
});

test('what was accepted stays so when it moves, and when it is back', () => {
  const accepted = { note: 'Ours', by: 'zoe@example.org', at: 1 };
  const known = after(look([host(LAPTOP, '10.0.0.9')]))[LAPTOP] as SecurityFinding;
  const [moved] = differencesOf([{ ...known, accepted }], look([host(LAPTOP, '10.0.0.8')]), 2).findings;
  expect(moved).toMatchObject({ state: 'changed', accepted });
  const gone = { ...known, accepted, state: 'gone' as const };
  const [back] = differencesOf([gone], look([host(LAPTOP, '10.0.0.9')]), 2).findings;
  expect(back).toMatchObject({ state: 'new', accepted });
});

test('the next weekly scan is on Saturday at midnight UTC, on a Saturday a week later', () => {
  const next = (text: string) => new Date(nextWeekly(Date.parse(text))).toISOString();
  expect(next('2026-11-27T23:59:59.999Z')).toBe('2026-11-28T00:00:00.000Z');
  expect(next('2026-11-28T00:00:00Z')).toBe('2026-12-05T00:00:00.000Z');
  expect(next('2026-11-29T10:00:00Z')).toBe('2026-12-05T00:00:00.000Z');
  expect(next('1970-01-01T00:00:00Z')).toBe('1970-01-03T00:00:00.000Z');
});
