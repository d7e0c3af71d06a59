import fc from 'fast-check';
import { expect, test } from 'vitest';
import { condense } from './counter-condense.ts';
import type { CounterReading } from './counter-readings.ts';
import { shareByIntervals } from './counter-shares.ts';
import { type CounterOptions, countGains } from './counters.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const every = (minutes: number, values: readonly number[], from = 0): CounterReading[] =>
  values.map((value, i) => ({ at: from + i * minutes * MINUTE, value }));
const totalOf = (readings: readonly CounterReading[], options?: CounterOptions): number =>
  shareByIntervals(countGains(readings, options), [-1e9 * DAY, 1e9 * DAY])[0]?.amount ?? Number.NaN;
const excludedOf = (readings: readonly CounterReading[]) =>
  countGains(readings).excluded.map(({ value, count, reason }) => [reason, value, count]);

test('a counter that steps back by its last digit counts what it shows in the end', () => {
  const readings = every(15, [215.6, 215.6, 215.7, 215.6, 215.6, 215.7, 215.8]);
  expect(totalOf(readings)).toBe(0.2);
  expect(excludedOf(readings)).toHaveLength(1);
  const large = every(15, [100_000, 100_001, 100_000.9, 100_002]);
  expect(totalOf(large)).toBe(2);
  expect(excludedOf(large)).toEqual([['dip', 100_000.9, 1]]);
});

test('zeros at dawn, a negative full scale and readings between add nothing, however long they last', () => {
  for (const zeros of [1, 2, 8, 200]) {
    const readings = every(15, [1000, 1001, ...new Array<number>(zeros).fill(0), 1002, 1003, 1005]);
    expect(totalOf(readings)).toBe(5);
    expect(excludedOf(readings)).toEqual([['dip', 0, zeros]]);
  }
  expect(totalOf(every(15, [1000, 1001, -32_768, 1002, 1003]))).toBe(3);
  expect(totalOf(every(15, [1000, 1001, -32_768, 65_535, 0, 1002, 1003]))).toBe(3);
  // It comes back a little lower than it was.
  expect(totalOf(every(15, [1000, 1001, 0, 0, 1000.5, 1002]))).toBe(2);
  expect(totalOf(every(15, [1000, 5, 1010, 1020]))).toBe(20);
});

test('a spike adds nothing once it has come back', () => {
  const night = every(15, [1000, 1001, 429_496_729.5, 429_496_729.5, 429_496_729.5, 1002, 1005]);
  expect(totalOf(night)).toBe(5);
  expect(excludedOf(night)).toEqual([['spike', 429_496_729.5, 3]]);
  expect(totalOf(every(15, [1000, 99_999, 1010, 1020]))).toBe(20);
  expect(totalOf(every(15, [1000, 65_535, 1001, 65_535, 1002]))).toBe(2);
  expect(totalOf(every(15, [1000, 1010, 1004, 1005]))).toBe(5);
});

test('what stays low was reset, exchanged or set back', () => {
  const reset = every(15, [5000, 5010, 5, 15, 20]);
  expect(totalOf(reset)).toBe(30);
  expect(countGains(reset).restarts).toEqual([{ at: 30 * MINUTE, before: 5010, value: 5, kind: 'reset' }]);
  expect(countGains(reset).excluded).toEqual([]);
  // Nobody counts 1,200 in a quarter of an hour that counts 10 in every other one.
  expect(totalOf(every(15, [5000, 5010, 1200, 1210, 1220]))).toBe(30);
  expect(totalOf(every(15, [5000, 5010, 0, 0, 1200, 1210, 1220]))).toBe(30);
  expect(totalOf(every(15, [1000, 1010, 980, 985, 990, 995]))).toBe(25);
  // It climbs past what it was, step by step.
  expect(totalOf(every(15, [40, 45, 1, 10, 20, 30, 40, 50]))).toBe(55);
});

test('near its limit a counter rolls over', () => {
  expect(totalOf(every(15, [4_294_967_000, 4_294_967_200, 100, 400, 600]))).toBe(896);
  expect(totalOf(every(15, [65_500, 65_520, 4, 24]))).toBe(60);
  expect(totalOf(every(15, [99_980, 99_990, 5, 15]))).toBe(35);
  expect(totalOf(every(15, [6553.1, 6553.3, 0.2, 0.5]))).toBe(1);
  expect(totalOf(every(15, [90, 95, 3, 8]))).toBe(13);
  expect(totalOf(every(15, [90, 95, 3, 8]), { rollsOverAt: 100 })).toBe(18);
});

test('zeros of a start are no counts, and those of a new counter are', () => {
  expect(totalOf(every(5, [0, 0, 123_456, 123_457, 123_458]))).toBe(2);
  expect(totalOf(every(5, [0, 0, 1, 2, 4]))).toBe(4);
  expect(totalOf(every(60, [0, 1000, 2000]))).toBe(2000);
});

test('a gain belongs to the time between its two readings, and days add up to the last digit', () => {
  // A meter that is read at midnight.
  const daily = [0, 1, 2, 3].map((day) => ({ at: day * DAY, value: 100 + 24 * day }));
  const days = shareByIntervals(countGains(daily), [0, DAY, 2 * DAY, 3 * DAY, 4 * DAY]);
  expect(days.map(({ amount }) => amount)).toEqual([24, 24, 24, null]);
  expect(days.map(({ coveredMs }) => coveredMs)).toEqual([DAY, DAY, DAY, 0]);
  // Over an edge by time.
  const [before, after] = shareByIntervals(
    countGains([
      { at: -3 * MINUTE, value: 7 },
      { at: 6 * MINUTE, value: 7.9 },
    ]),
    [-HOUR, 0, HOUR],
  );
  expect([before?.amount, after?.amount]).toEqual([0.3, 0.6]);
});

test('a gap is shared by time, marked as estimated, and not covered', () => {
  const readings = [...every(5, [10, 11, 12]), ...every(5, [32, 33], HOUR + 50 * MINUTE)];
  const counted = countGains(readings);
  expect(counted.gains.filter(({ isEstimated }) => isEstimated)).toMatchObject([{ amount: 20 }]);
  const [first, second] = shareByIntervals(counted, [0, HOUR, 2 * HOUR]);
  expect(first).toMatchObject({ amount: 12, estimated: 10, coveredMs: 10 * MINUTE });
  expect(second).toMatchObject({ amount: 11, estimated: 10, coveredMs: 5 * MINUTE });
  expect(countGains(every(30, [1, 2, 3, 4])).gaps).toEqual([]);
});

test('what a counter of days shows after midnight was counted since, and what was left of yesterday was not', () => {
  const readings = [
    ...every(60, [30, 40, 45], -6 * HOUR),
    // It wakes at seven with what it had, and begins anew.
    ...every(10, [45, 45, 0.7, 1.4], 7 * HOUR),
    ...every(60, [6, 12, 20, 44], 10 * HOUR),
  ];
  const midnights = [-DAY, 0, DAY];
  const [yesterday, today] = shareByIntervals(countGains(readings, { restartsAt: midnights }), midnights);
  expect([yesterday?.amount, today?.amount]).toEqual([15, 44]);
  // Its clock is an hour ahead.
  const early = every(30, [44, 45, 45, 0, 0, 0, 0], -2.5 * HOUR);
  const shares = shareByIntervals(countGains(early, { restartsAt: midnights }), midnights);
  expect(shares.map(({ amount }) => amount)).toEqual([1, 0]);
  const night = [...every(60, [44, 45], -5 * HOUR), ...every(60, [3, 9], 6 * HOUR)];
  const slept = shareByIntervals(countGains(night, { restartsAt: midnights }), midnights);
  expect(slept.map(({ amount }) => amount)).toEqual([1, 9]);
});

test('more than can be counted in its time is doubted; the step of a coarse counter is not', () => {
  const most = { mostPerHour: 12 };
  const doubted = (values: number[]) =>
    countGains(every(15, values), most).gains.flatMap(({ amount, isDoubted }) => (isDoubted ? [amount] : []));
  expect(doubted([100, 102, 105, 429_496_729, 429_496_731])).toEqual([429_496_624]);
  expect(doubted([100, 100, 100, 100, 110, 110, 110, 110, 120])).toEqual([]);
  expect(doubted([100, 102, 102, 102, 112, 114])).toEqual([10]);
});

/** Midnights around the first of them, and what days between them come to. */
const midnights = [-2, -1, 0, 1, 2, 3].map((day) => day * DAY);
const daysOf = (readings: readonly CounterReading[], options?: CounterOptions) =>
  shareByIntervals(countGains(readings, { restartsAt: midnights, ...options }), midnights)
    .slice(1, 4)
    .map(({ amount }) => amount);

test('a night of sleep brings no counter near a limit', () => {
  const day = (first: number, from: number) =>
    every(
      15,
      Array.from({ length: 45 }, (_, i) => first + Math.round((i * (24_000 - first)) / 44)),
      from,
    );
  const readings = [...day(0, -17 * HOUR), ...day(50, 7 * HOUR)];
  expect(totalOf(readings)).toBe(48_000);
  expect(daysOf(readings)).toEqual([24_000, 24_000, null]);
  expect(daysOf(readings, { rollsOverAt: 32_768 })).toEqual([24_000, 24_000, null]);
  // Hourly, and once a month.
  const hourly = [...every(60, [0, 1000, 3000, 6000, 9000, 11_000, 13_000, 13_500, 14_000, 14_000, 14_000])];
  expect(totalOf([...hourly, ...every(60, [0, 0, 0, 500], 11 * HOUR)])).toBe(14_500);
  expect(totalOf(every(60 * 24 * 30, [5000, 5300, 5600, 5900, 12, 312]))).toBe(1212);
});

test('what is known to begin anew at midnight is no dip, and what it had no spike', () => {
  const yesterday = (values: number[]) => every(60, values, -14 * HOUR);
  // It passes what it had by a jump.
  expect(daysOf([...yesterday([0, 2, 4, 6]), ...every(60, [0, 0, 1, 7, 20, 40, 60], 5 * HOUR)])).toEqual([
    6,
    60,
    null,
  ]);
  // A day of snow before.
  expect(daysOf([...yesterday([0, 0.2, 0.4]), ...every(60, [0, 0, 0, 0.1, 0.5], 5 * HOUR)])).toEqual([
    0.4,
    0.5,
    null,
  ]);
  // Three readings a day, and one.
  const three = [-1, 0].flatMap((day) => every(5 * 60, [5, 40, 70], day * DAY + 8 * HOUR));
  expect(daysOf(three)).toEqual([65, 70, null]);
  const one = [45, 38, 50].map((value, i) => ({ at: i * DAY - 5 * MINUTE, value }));
  expect(daysOf(one)).toEqual([null, 38, 50]);
  // It wakes at noon above what it had.
  expect(daysOf([...every(60, [1, 2, 3, 4, 5], -10 * HOUR), { at: 12 * HOUR, value: 20 }])).toEqual([
    4,
    20,
    null,
  ]);
});

test('what was left of yesterday does not count for today, whatever was read between', () => {
  const yesterday = every(60, [30, 40, 45, 45], -6 * HOUR);
  const today = every(60, [45, 45, 0.7, 2, 9], 5 * HOUR);
  for (const wrong of [0, -32_768, 429_496_729.5])
    expect(daysOf([...yesterday, ...every(30, [wrong, wrong], HOUR), ...today])).toEqual([15, 9, null]);
  // Its clock is late: it goes on counting for an hour after midnight.
  const late = [
    ...every(60, [8, 9, 10, 10.5], -2 * HOUR - 30 * MINUTE),
    ...every(60, [0.2, 0.9], 90 * MINUTE),
  ];
  expect(daysOf(late).map((day) => Math.round((day ?? 0) * 100) / 100)).toEqual([2.25, 1.15, 0]);
  // Midnight brings what no register holds.
  const spoilt = [...every(60, [30, 40, 45], -6 * HOUR), ...every(60, [429_496_729.5, 0, 0.7, 9], HOUR)];
  expect(daysOf(spoilt)).toEqual([15, 9, null]);
});

test('what is refreshed more rarely than it is read is not doubted', () => {
  const refreshed = [0, 1.9, 4.4, 6.6, 9, 11.5].flatMap((value) => new Array<number>(15).fill(100 + value));
  const { gains } = countGains(every(1, refreshed), { mostPerHour: 12 });
  expect(gains.filter(({ isDoubted }) => isDoubted)).toEqual([]);
  const condensed = countGains(condense(every(1, refreshed)), { mostPerHour: 12 });
  expect(condensed.gains.filter(({ isDoubted }) => isDoubted)).toEqual([]);
});

test('after a long pause the mean pace bounds what was counted, and what shows most of what it had was set back', () => {
  expect(totalOf(every(24 * 60, [100, 124, 148, 172, 196, 150, 151, 152]))).toBe(98);
  const before = every(60, [1000, 1050, 1100, 1150, 1200]);
  expect(totalOf([...before, ...every(60, [1130, 1140], 20 * DAY)])).toBe(210);
  // Twenty days at four an hour are 2,000.
  const slow = every(60, [9000, 9004, 9008, 9012]);
  expect(totalOf([...slow, ...every(60, [1900, 1904], 20 * DAY)])).toBe(1916);
  expect(totalOf([...slow, ...every(60, [4100, 4104], 20 * DAY)])).toBe(16);
});

test('what goes on far from where a jump began did not come back to it', () => {
  const sixteenBits = every(60, [10_000, 40_000, 4464, 34_464, 64_464]);
  expect(totalOf(sixteenBits)).toBe(120_000);
  expect(totalOf(sixteenBits, { rollsOverAt: 65_536 })).toBe(120_000);
  expect(totalOf(every(60, [1000, 5000, 50, 4050]))).toBe(8050);
  expect(totalOf(every(15, [1000, 1010, 1020, 1030, 1015, 1025, 1035]))).toBe(50);
  expect(totalOf(every(15, [60_000, 65_535, 0, 60_010, 60_020]))).toBe(20);
});

test('bursts after a zero are counted where they can be', () => {
  const burst = every(15, [0, 0, 5, 5, 5, 5, 5.1]);
  expect(totalOf(burst, { mostPerHour: 22 })).toBe(5.1);
  expect(totalOf(burst, { mostPerHour: 4 })).toBe(0.1);
  const yesterday = every(15, [0, 3, 6, 6, 6, 6, 7, 7.5], -8 * HOUR);
  expect(totalOf([...yesterday, ...burst])).toBe(12.6);
  expect(daysOf([...every(60, [900, 901], -6 * HOUR), ...burst])).toEqual([1, 5.1, null]);
});

test('a counter that counts down from zero counts how far', () => {
  const exported = every(15, [-1000, -1001, -1003, 0, 0, -1004, -1010]);
  expect(totalOf(exported)).toBe(10);
  expect(countGains(exported)).toMatchObject({ countsDown: true, excluded: [{ reason: 'dip', value: 0 }] });
  expect(totalOf(every(15, [0, 0, -32_768, 0, 0]))).toBe(0);
  expect(totalOf(every(15, [0, 0, -32_768]))).toBe(0);
});

test('what is doubted does not depend on what was left out', () => {
  const steady = Array.from({ length: 31 }, (_, i) => 1000 + i);
  const readings = every(5, [...steady, 1070, ...Array.from({ length: 30 }, (_, i) => 1071 + i)]);
  const most = { mostPerHour: 12 };
  const doubted = (all: readonly CounterReading[]) =>
    countGains(all, most).gains.flatMap(({ amount, isDoubted }) => (isDoubted ? [amount] : []));
  expect(doubted(readings)).toEqual([40]);
  expect(doubted(condense(readings, 12))).toEqual([40]);
});

test('nothing counts nothing', () => {
  expect(countGains([])).toEqual({ gains: [], gaps: [], excluded: [], restarts: [] });
  expect(countGains(every(1, [5])).gains).toEqual([]);
  expect(shareByIntervals(countGains([]), [0, 1])).toEqual([
    { amount: null, estimated: 0, doubted: 0, coveredMs: 0 },
  ]);
});

/** A counter as it truly counted, with readings in it that are not so. */
const spoilt = fc
  .record({
    start: fc.integer({ min: 1000, max: 2_000_000 }),
    steps: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 4, maxLength: 60 }),
    pauses: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 60, maxLength: 60 }),
    bad: fc.array(
      fc.record({
        at: fc.integer({ min: 1, max: 58 }),
        length: fc.integer({ min: 1, max: 4 }),
        kind: fc.constantFrom('zero' as const, 'ones' as const, 'negative' as const),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ start, steps, pauses, bad }) => {
    let [at, value] = [0, start];
    const truth = [{ at, value }];
    steps.forEach((step, i) => {
      at += (pauses[i] as number) * MINUTE;
      value += step;
      truth.push({ at, value });
    });
    const read = truth.map((one, i) => {
      const hit = bad.find((b) => i >= b.at && i < b.at + b.length && i < truth.length - 1);
      if (!hit) return one;
      const wrong = { zero: 0, ones: 4_294_967_295, negative: -32_768 }[hit.kind];
      return { at: one.at, value: wrong };
    });
    return { truth, read };
  });

test('dips and spikes change nothing but where within them a gain lies', () => {
  fc.assert(
    fc.property(spoilt, ({ truth, read }) => {
      const total = (truth.at(-1)?.value ?? 0) - (truth[0]?.value ?? 0);
      expect(totalOf(read)).toBe(total);
      const good = new Set(read.filter(({ value }, i) => value === truth[i]?.value).map(({ at }) => at));
      for (const { from, to, amount } of countGains(read).gains) {
        expect(good.has(from) && good.has(to)).toBe(true);
        const at = (ms: number) => truth.find((one) => one.at === ms)?.value ?? Number.NaN;
        expect(amount).toBe(at(to) - at(from));
      }
    }),
    { numRuns: 300 },
  );
});

/** Anything: rises, falls, restarts, noise. */
const anything = fc.uniqueArray(
  fc.record({
    at: fc.integer({ min: 0, max: 3 * 24 * 60 }).map((minutes) => minutes * MINUTE),
    value: fc.oneof(
      fc.integer({ min: -2, max: 40 }),
      fc.integer({ min: 0, max: 4000 }).map((n) => n / 10),
      fc.constantFrom(0, 0, 65_530, 65_535, 1000, 1001, 1002, 1003, -32_768),
    ),
  }),
  { selector: ({ at }) => at, maxLength: 60 },
);
const counter = fc
  .tuple(fc.integer({ min: 0, max: 50 }), fc.array(fc.integer({ min: -3, max: 12 }), { maxLength: 60 }))
  .map(([start, steps]) => {
    let value = start;
    return steps.map((step, i) => {
      // Three of sixteen begin anew, fall a little, or are wrong.
      value = step === -3 ? 0 : step === -2 ? Math.max(0, value - 1) : step === -1 ? value : value + step;
      return { at: i * 7 * MINUTE, value: step === -1 ? 0 : value };
    });
  });

test('the order of arrival does not matter', () => {
  fc.assert(
    fc.property(
      fc
        .oneof(anything, counter)
        .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        expect(countGains(shuffled)).toEqual(countGains(all.toSorted((a, b) => a.at - b.at)));
      },
    ),
    { numRuns: 300 },
  );
});

test('what stays of pieces, cut anywhere, comes to what all readings come to', () => {
  const options = { usualMs: Number.POSITIVE_INFINITY };
  fc.assert(
    fc.property(
      fc.oneof(anything, counter),
      fc.uniqueArray(fc.integer({ min: 1, max: 3 * 24 * 60 - 1 }), { maxLength: 6 }),
      fc.option(fc.constantFrom(50, 100, 65_536), { nil: null }),
      fc.boolean(),
      (readings, cutsAt, rollsOverAt, isOfDays) => {
        const all = readings.toSorted((a, b) => a.at - b.at);
        const restartsAt = isOfDays ? [0, DAY, 2 * DAY] : [];
        const cuts = new Set([...cutsAt.map((m) => m * MINUTE), ...restartsAt]);
        const edges = [-DAY, ...[...cuts].sort((a, b) => a - b), 9 * DAY];
        const pieces = edges.slice(1).flatMap((end, i) => {
          const start = edges[i] as number;
          return condense(all.filter(({ at }) => at >= start && at < end));
        });
        const [whole, made] = [
          countGains(all, { ...options, rollsOverAt, restartsAt }),
          countGains(pieces, { ...options, rollsOverAt, restartsAt }),
        ];
        const amounts = (of: typeof whole) => shareByIntervals(of, edges).map(({ amount }) => amount);
        expect(amounts(made)).toEqual(amounts(whole));
        expect(made.excluded).toEqual(whole.excluded);
        expect(made.restarts).toEqual(whole.restarts);
      },
    ),
    { numRuns: 3000 },
  );
});

test('intervals add up to the whole, to the last digit', () => {
  fc.assert(
    fc.property(
      fc.oneof(anything, counter),
      fc.uniqueArray(fc.integer({ min: -100, max: 3 * 24 * 60 + 100 }), { minLength: 2, maxLength: 12 }),
      (readings, cutsAt) => {
        const edges = cutsAt.toSorted((a, b) => a - b).map((m) => m * MINUTE + 17);
        const counted = countGains(readings);
        const parts = shareByIntervals(counted, edges);
        const [whole] = shareByIntervals(counted, [edges[0] as number, edges.at(-1) as number]);
        const sum = parts.reduce((all, { amount }) => all + (amount ?? 0), 0);
        // Of counters up to 65536, a double tells thirteen digits.
        expect(Math.abs(sum - (whole?.amount ?? 0))).toBeLessThan(1e-7);
        expect(parts.reduce((all, { coveredMs }) => all + coveredMs, 0)).toBe(whole?.coveredMs);
      },
    ),
    { numRuns: 500 },
  );
});
