import { scheduleFile } from '@albedo/contract/schedules/schedule-file';
import { OVERRIDE_LEASE_MS } from '@albedo/contract/schedules/schedules.names';
import { setpointBounds } from '@albedo/contract/schedules/schedules.schema';
import { instantsOf, wallTime } from '@albedo/contract/time/zoned-time';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { problemsOf } from './control-bounds.ts';
import { curtailedBy } from './curtailed-energy.ts';
import { siteTime } from './rehearsals.ts';
import { heldAt, isInForce, isStopOf, leaseFrom, NOTHING, overrideLine, type Timeline } from './timeline.ts';

/** Days around both clock changes of Europe/Berlin, and everything that is asked of schedules there. */
const ZONE = 'Europe/Berlin';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CHANGES = [Date.parse('2026-03-29T01:00:00Z'), Date.parse('2026-10-25T01:00:00Z')] as const;
const KIND = 'setpoint_activepower';

const instant = fc
  .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -36 * 60, max: 36 * 60 }))
  .map(([change, minutes]) => change + minutes * MINUTE);
const value = fc.constantFrom<string>('0%', '0 W', '30%', '60%', '100%', '');
const entries = fc
  .uniqueArray(fc.tuple(instant, value), { selector: ([at]) => at, maxLength: 12 })
  .map((list) =>
    list
      .toSorted(([a], [b]) => a - b)
      .map(([at, said]) => ({ datetime: new Date(at).toISOString(), value: said })),
  );
const line: fc.Arbitrary<Timeline> = fc.record({ entries, endsAt: fc.option(instant) });
const RUNS = { numRuns: 300, seed: 20_261_025 };
const probes = (lines: readonly Timeline[], from: number): number[] =>
  lines
    .flatMap(({ entries: own, endsAt }) => [
      ...own.map(({ datetime }) => Date.parse(datetime)),
      endsAt ?? from,
    ])
    .flatMap((at) => [at - 1, at, at + 1])
    .filter((at) => at >= from);

describe('across the clock changes of a site', () => {
  test('an instant has one value: that of the newest entry, whichever way the clocks go', () => {
    fc.assert(
      fc.property(line, instant, (one, at) => {
        const isOver = one.endsAt !== null && at >= one.endsAt;
        const newest = one.entries.filter(({ datetime }) => Date.parse(datetime) <= at).at(-1);
        expect(heldAt(one, at)).toBe(isOver ? '' : (newest?.value ?? ''));
      }),
      RUNS,
    );
  });

  test('nothing holds before the first entry, nor at the end or after it', () => {
    fc.assert(
      fc.property(line, (one) => {
        const first = one.entries[0];
        if (first) expect(heldAt(one, Date.parse(first.datetime) - 1)).toBe('');
        if (one.endsAt !== null) expect(isInForce(one, one.endsAt)).toBe(false);
        if (one.endsAt !== null) expect(heldAt(one, one.endsAt)).toBe('');
      }),
      RUNS,
    );
  });

  test('the file says the same as the schedule at every instant', () => {
    fc.assert(
      fc.property(line, instant, (one, at) => {
        const rows = scheduleFile(one).trim().split('\n').slice(1);
        const read = rows.map((row) => ({
          datetime: row.split(',')[0] ?? '',
          value: row.split(',')[1] ?? '',
        }));
        expect(heldAt({ entries: read, endsAt: null }, at)).toBe(heldAt(one, at));
        const times = read.map(({ datetime }) => Date.parse(datetime));
        for (const [i, time] of times.entries()) if (i > 0) expect(time).toBeGreaterThan(times[i - 1] ?? 0);
      }),
      RUNS,
    );
  });

  test('the clocks of the site with their offset name the instant again, also in the hour that comes twice', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const text = siteTime(new Date(at).toISOString(), ZONE);
        expect(Date.parse(text)).toBe(at);
        const { hour, minute } = wallTime(at, ZONE);
        expect(text.slice(11, 16)).toBe(
          `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`,
        );
      }),
      RUNS,
    );
  });

  test('an entry a wall clock hour is 23 or 25 entries a day there, each at an instant of its own', () => {
    const hours = (day: number, month: number) =>
      Array.from({ length: 24 }, (_, hour) =>
        instantsOf({ year: 2026, month, day, hour, minute: 0, second: 0 }, ZONE),
      ).flat();
    expect([hours(29, 3).length, hours(25, 10).length]).toEqual([23, 25]);
    for (const all of [hours(29, 3), hours(25, 10)])
      for (const [i, at] of all.entries()) if (i > 0) expect(at - (all[i - 1] ?? 0)).toBe(HOUR);
  });

  test('what is called a stop loosens nothing at any instant', () => {
    fc.assert(
      fc.property(line, line, instant, (before, next, from) => {
        if (!isStopOf(KIND, before, next, from)) return;
        for (const at of [from, ...probes([before, next], from)]) {
          const [was, is] = [heldAt(before, at), heldAt(next, at)];
          expect(is === was || is === '0%' || is === '0 W', `${was} to ${is}`).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test('a stop by hand over anything is a stop; another value by hand is none, unless it changes nothing', () => {
    fc.assert(
      fc.property(line, instant, fc.integer({ min: 1, max: 600 }), (base, from, minutes) => {
        const until = from + minutes * MINUTE;
        const by = (said: string) => overrideLine(base, { value: said, from, leaseUntil: until });
        expect(isStopOf(KIND, base, by('0%'), from)).toBe(true);
        expect(isStopOf(KIND, base, by('70%'), from)).toBe(false);
      }),
      RUNS,
    );
  });

  test('without us a value by hand ends with its lease, within 15 minutes, and what was under it goes on', () => {
    fc.assert(
      fc.property(line, instant, fc.integer({ min: 1, max: 600 }), (base, from, minutes) => {
        const leaseUntil = leaseFrom(from, from + minutes * MINUTE);
        const hand = overrideLine(base, { value: '10%', from, leaseUntil });
        expect(leaseUntil - from).toBeLessThanOrEqual(OVERRIDE_LEASE_MS);
        expect(heldAt(hand, from)).toBe('10%');
        expect(heldAt(hand, leaseUntil - 1)).toBe('10%');
        for (const at of [leaseUntil, ...probes([base], leaseUntil)])
          expect(heldAt(hand, at)).toBe(heldAt(base, at));
        const times = hand.entries.map(({ datetime }) => Date.parse(datetime));
        for (const [i, time] of times.entries()) if (i > 0) expect(time).toBeGreaterThan(times[i - 1] ?? 0);
      }),
      RUNS,
    );
  });

  test('writes of a register that wears are counted by the day of the site, which is not that of UTC', () => {
    const inverter = {
      ...{ name: 'One', isReached: true, model: 123, ratedKw: 10, mayWrite: 'yes' as const, why: '' },
      ...{ whenLost: 'release' as const, fallback: null, timerS: null, isPersistent: true },
      persistentWritesToday: 0,
    };
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 3 }), (own, most) => {
        const found = problemsOf({
          ...{
            path: `x/${KIND}`,
            entries: own,
            until: null,
            held: { entries: [], endsAt: null },
            zone: ZONE,
            now: 0,
            device: { inverters: [inverter] },
          },
          bounds: setpointBounds.parse({ persistentWritesADay: most }),
        });
        const days = Map.groupBy(own, ({ datetime }) => siteTime(datetime, ZONE).slice(0, 10));
        const over = [...days].filter(([, those]) => those.length > most).map(([day]) => day);
        expect(found.map(({ facts }) => facts.day)).toEqual(over);
      }),
      RUNS,
    );
  });

  test('what is lost is never more than all that would be made, and a stop loses all of it', () => {
    const quarters = Array.from({ length: 96 }, (_, i) => (i > 24 && i < 76 ? 8000 : 0));
    fc.assert(
      fc.property(entries, fc.option(instant), (own, until) => {
        if (until !== null && own.some(({ datetime }) => Date.parse(datetime) >= until)) return;
        const kwh = (list: readonly { datetime: string; value: string }[]) =>
          curtailedBy({ entries: list, until, ratedKw: 10 }, { quarters }, CHANGES[0]).kwh ?? Number.NaN;
        const stop = own.map((one) => ({ ...one, value: '0%' }));
        expect(kwh(own)).toBeGreaterThanOrEqual(0);
        expect(kwh(own)).toBeLessThanOrEqual(kwh(stop) + 1e-6);
        expect(kwh(own.map((one) => ({ ...one, value: '100%' })))).toBe(0);
      }),
      RUNS,
    );
  });

  test('nothing is in force where there is nothing', () => {
    expect([isInForce(NOTHING, 0), heldAt(NOTHING, 0)]).toEqual([false, '']);
  });
});
