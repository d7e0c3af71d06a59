import { instantOf, wallTime } from '@albedo/contract/time/zoned-time';
import { expect, test } from 'vitest';
import { onCallAt, spansOf } from './rota.ts';

const plan = {
  members: ['ann', 'ben', 'cleo'],
  shiftDays: 1,
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  overrides: [],
  startsOn: '2026-03-02',
  handover: '08:30',
  zone: 'Europe/London',
};
const at = (zone: string, month: number, day: number, hour = 0, minute = 0, year = 2026) =>
  instantOf({ year, month, day, hour, minute }, zone);

/** Handovers may be at a time that is skipped or comes twice: 02:00 in Lord Howe, where clocks change by half an hour. */
for (const [zone, handover, month] of [
  ['Europe/London', '08:30', 10],
  ['Europe/London', '01:30', 10],
  ['Europe/London', '01:30', 3],
  ['Australia/Lord_Howe', '08:30', 4],
  ['Australia/Lord_Howe', '01:45', 4],
  ['Australia/Lord_Howe', '02:15', 10],
] as const)
  test(`a rota at ${handover} in ${zone} has neither a gap nor a doubled shift across the clock change of month ${month}`, () => {
    const rota = { ...plan, zone, handover };
    const [from, to] = [at(zone, month, 1, 12), at(zone, month + 1, 10, 12)];
    const spans = spansOf(rota, from, to);
    expect(spans[0]?.from).toBe(from);
    expect(spans.at(-1)?.to).toBe(to);
    for (const [number, span] of spans.entries()) {
      const next = spans[number + 1];
      if (!next) break;
      expect(next.from).toBe(span.to);
      const turn = plan.members.indexOf(span.user ?? '');
      expect(next.user).toBe(plan.members[(turn + 1) % 3]);
    }
    // As many days as the calendar has, of 23 to 25 hours each.
    expect(spans).toHaveLength(Math.round((to - from) / 86_400_000) + 1);
    for (const span of spans.slice(1, -1)) {
      const hours = (span.to - span.from) / 3_600_000;
      expect(hours).toBeGreaterThanOrEqual(23);
      expect(hours).toBeLessThanOrEqual(25);
    }
    if (handover === '08:30')
      for (const span of spans.slice(1))
        expect(wallTime(span.from, zone)).toMatchObject({ hour: 8, minute: 30 });
  });

test('turns of a week begin at the handover, days that are not covered are gaps, and before the start is nobody', () => {
  const rota = { ...plan, shiftDays: 7, weekdays: [1, 2, 3, 4, 5] };
  const on = (day: number, hour: number, minute = 0) => onCallAt(rota, at(rota.zone, 3, day, hour, minute));
  expect(on(2, 8, 29)).toBeNull();
  expect(on(2, 8, 30)).toBe('ann');
  // Friday's day ends on Saturday morning.
  expect(on(7, 8, 29)).toBe('ann');
  expect(on(7, 8, 30)).toBeNull();
  expect(on(9, 8, 29)).toBeNull();
  expect(on(9, 8, 30)).toBe('ben');
  const gaps = spansOf(rota, at(rota.zone, 3, 2, 9), at(rota.zone, 3, 16, 9)).filter(
    ({ user }) => user === null,
  );
  expect(gaps.map(({ from, to }) => [from, to])).toEqual([
    [at(rota.zone, 3, 7, 8, 30), at(rota.zone, 3, 9, 8, 30)],
    [at(rota.zone, 3, 14, 8, 30), at(rota.zone, 3, 16, 8, 30)],
  ]);
});

test('an override stands in for whoever has the turn, and who left the workgroup is a gap', () => {
  const [from, to] = [at(plan.zone, 3, 3, 12), at(plan.zone, 3, 4, 12)];
  const rota = { ...plan, overrides: [{ user: 'dan', from, to }] };
  const spans = spansOf(rota, at(plan.zone, 3, 3, 9), at(plan.zone, 3, 5, 9), (user) => user !== 'cleo');
  expect(spans.map(({ user, isOverride }) => [user, isOverride])).toEqual([
    ['ben', false],
    ['dan', true],
    [null, false],
    ['ann', false],
  ]);
});
