import { type Completeness, type Gap, gapCause } from '@albedo/contract/completeness/completeness.schema';
import { describe, expect, it } from 'vitest';
import '../../app/test-screen.tsx';
import { addReading, backfillOf, type Reading, readingOf } from './backfill.ts';
import texts from './completeness.texts.json' with { type: 'json' };
import { gapPeriod, gapSize, gapStream } from './gap-texts.ts';
import { hasTwoMachines, verdictOf } from './verdict.ts';

const ledger = (parts: Partial<Completeness>): Completeness => ({
  captured: 0,
  stored: 0,
  pending: 0,
  dropped: 0,
  setAside: 0,
  unreadBytes: 0,
  outboxBytes: 0,
  outboxLimitBytes: 1e9,
  reportedAt: 0,
  streams: [],
  gaps: [],
  numberings: [],
  reused: [],
  imported: [],
  ...parts,
});
const reading = (at: number, stored: number, pending: number, unreadBytes = 0): Reading => ({
  at,
  stored,
  pending,
  unreadBytes,
});

describe('the progress of a back-fill', () => {
  it('is nothing while only the usual few events are on their way', () => {
    expect(backfillOf(ledger({ stored: 1e6, pending: 40, unreadBytes: 200 }), [])).toBeNull();
  });

  it('has a rate and a time left once two readings are some seconds apart', () => {
    const now = ledger({ stored: 60_000, pending: 40_000 });
    expect(backfillOf(now, [readingOf(now, 0)])).toEqual({ share: 0.6, eventsPerS: null, msLeft: null });
    expect(backfillOf(now, [reading(0, 50_000, 50_000), reading(10_000, 60_000, 40_000)])).toEqual({
      share: 0.6,
      eventsPerS: 1000,
      msLeft: 40_000,
    });
  });

  it('tells no share while files are still to be read, and no end while more comes than goes', () => {
    const now = ledger({ stored: 60_000, pending: 4000, unreadBytes: 5e6 });
    const falling = [reading(0, 50_000, 5000, 10e6), reading(10_000, 60_000, 4000, 5e6)];
    expect(backfillOf(now, falling)).toMatchObject({ share: null, msLeft: 40_000 });
    const rising = [reading(0, 50_000, 3000, 10e6), reading(10_000, 60_000, 4000, 5e6)];
    expect(backfillOf(now, rising)?.msLeft).toBeNull();
  });

  it('forgets what is over a minute old, and everything when a counter falls', () => {
    const readings = [reading(0, 1, 0), reading(50_000, 2, 0)];
    expect(addReading(readings, reading(70_000, 3, 0)).map((one) => one.at)).toEqual([50_000, 70_000]);
    expect(addReading(readings, reading(70_000, 0, 0))).toHaveLength(1);
  });
});

describe('a gap in words', () => {
  const gap = {
    from: 10,
    to: 19,
    table: 'solar',
    source: 'inv-01',
    cause: 'outbox_full',
    events: 10,
    firstEventAt: Date.parse('2026-11-21T10:00:00Z'),
    lastEventAt: Date.parse('2026-11-21T10:05:00Z'),
    reportedAt: 0,
  } as const;

  it('has a sentence for every cause there is', () => {
    expect(Object.keys(texts.en.causes).sort()).toEqual([...gapCause.options].sort());
  });

  it('says how much, of what and when', () => {
    expect(gapSize(gap)).toBe('10 events');
    expect(gapSize({ ...gap, events: 1 })).toBe('1 event');
    expect(gapStream(gap)).toBe('solar / inv-01');
    expect(gapPeriod(gap, 'Europe/Madrid')).toBe('Nov 21, 2026 11:00:00 – Nov 21, 2026 11:05:00');
  });

  it('says so where it is not known', () => {
    expect(gapSize({ ...gap, events: null })).toBe('number unknown (10 to 19)');
    expect(gapStream({ table: null, source: null })).toBe('all streams');
    expect(gapPeriod({ ...gap, firstEventAt: null, lastEventAt: null }, 'UTC')).toBe('time unknown');
  });
});

describe('the verdict', () => {
  const gap = (cause: Gap['cause'], events: number | null): Gap => ({
    from: 1,
    to: 2,
    table: null,
    source: null,
    cause,
    events,
    firstEventAt: null,
    lastEventAt: null,
    reportedAt: 0,
  });

  it('counts as lost only what is nowhere any more', () => {
    const gaps = [gap('outbox_full', 240), gap('set_aside', 1), gap('unexplained', 5)];
    expect(verdictOf(ledger({ gaps, setAside: 1 }), true)).toEqual({
      mark: 'danger',
      text: '240 events are missing for good. Each gap is listed below with its cause.',
    });
    expect(verdictOf(ledger({ gaps: [gap('outbox_lost', null)] }), true).text).toMatch(/^Some events/);
  });

  it('warns of what may still arrive and of what was set aside', () => {
    expect(verdictOf(ledger({ gaps: [gap('unexplained', 5)] }), true).mark).toBe('warning');
    expect(verdictOf(ledger({ setAside: 1 }), true).text).toMatch(/^1 event could not be stored/);
  });

  it('does not praise a device that never reported', () => {
    expect(verdictOf(ledger({ reportedAt: null }), false).text).toBe('Nothing has been captured yet.');
  });

  it('is calm while events wait on a device that is offline', () => {
    expect(verdictOf(ledger({ pending: 7 }), false).mark).toBe('ok');
    expect(verdictOf(ledger({ pending: 7 }), false).text).toMatch(/offline/);
    expect(verdictOf(ledger({}), true).text).toBe('Everything that was captured is stored.');
  });
});

describe('copies of a disk', () => {
  const numbering = (outbox: string, since: number, lastAt: number) => ({
    outbox,
    began: 'new' as const,
    from: 1,
    since,
    lastAt,
    events: 0,
  });
  it('are two machines when they take turns, and one when the later one replaced the other', () => {
    expect(hasTwoMachines([numbering('a', 0, 100), numbering('b', 50, 90)], 200)).toBe(true);
    expect(hasTwoMachines([numbering('b', 50, 100), numbering('a', 0, 50)], 200)).toBe(false);
    expect(hasTwoMachines([numbering('a', 0, 100), numbering('b', 50, 90)], 1e9)).toBe(false);
  });
});
