/** One step of a schedule: from `at` (epoch ms) on `value` holds, until the next one; an empty value ends what holds. */
export interface Step {
  at: number;
  value: string;
}

/** A time in which one value holds. */
export interface Piece {
  from: number;
  /** Epoch ms; null: without end. */
  to: number | null;
  value: string;
}

interface Written {
  entries: readonly { datetime: string; value: string }[];
  until: string | null;
}

export const stepsOf = ({ entries }: Pick<Written, 'entries'>): Step[] =>
  entries.map(({ datetime, value }) => ({ at: Date.parse(datetime), value }));

export const endOf = ({ until }: Pick<Written, 'until'>): number | null =>
  until === null ? null : Date.parse(until);

export const entriesOf = (path: string, steps: readonly Step[]) =>
  steps.map(({ at, value }) => ({ path, datetime: new Date(at).toISOString(), value }));

/** The times in which something holds, rising. `steps` rise. */
export function piecesOf(steps: readonly Step[], end: number | null): Piece[] {
  return steps.flatMap(({ at, value }, index): Piece[] => {
    const next = steps[index + 1]?.at ?? null;
    const to = next === null || (end !== null && end < next) ? end : next;
    return value === '' || (to !== null && to <= at) ? [] : [{ from: at, to, value }];
  });
}

/** What holds at an instant. */
export const pieceAt = (pieces: readonly Piece[], at: number): Piece | null =>
  pieces.find(({ from, to }) => from <= at && (to === null || to > at)) ?? null;

/** What holds at an instant, as a value; empty for nothing. */
export const valueAt = (steps: readonly Step[], at: number): string =>
  steps.findLast((step) => step.at <= at)?.value ?? '';

/** Without steps that change nothing: an end before anything holds, and a value that holds already. */
export const withoutIdle = (steps: readonly Step[]): Step[] =>
  steps.filter(({ value }, index) => value !== (steps[index - 1]?.value ?? ''));

/** Lays times over a schedule: each has its value, and after it goes on what would have held there. */
export function layOver(steps: readonly Step[], times: readonly (Piece & { to: number })[]): Step[] {
  let all = [...steps];
  for (const { from, to, value } of times) {
    const after = valueAt(all, to);
    all = [
      ...all.filter(({ at }) => at < from),
      { at: from, value },
      { at: to, value: after },
      ...all.filter(({ at }) => at > to),
    ];
  }
  return withoutIdle(all);
}

export interface Difference {
  from: number;
  to: number | null;
  /** Empty for nothing. */
  was: string;
  now: string;
}

/** The times in which two schedules say something else. */
export function differencesOf(
  a: { steps: readonly Step[]; end: number | null },
  b: { steps: readonly Step[]; end: number | null },
): Difference[] {
  const [was, now] = [piecesOf(a.steps, a.end), piecesOf(b.steps, b.end)];
  const edges = [...was, ...now].flatMap(({ from, to }) => (to === null ? [from] : [from, to]));
  const rising = [...new Set(edges)].sort((x, y) => x - y);
  const all = rising.map((from, index): Difference => {
    const [before, after] = [pieceAt(was, from)?.value ?? '', pieceAt(now, from)?.value ?? ''];
    return { from, to: rising[index + 1] ?? null, was: before, now: after };
  });
  const differing = all.filter((one) => one.was !== one.now);
  return differing.reduce<Difference[]>((joined, one) => {
    const last = joined.at(-1);
    if (last?.to === one.from && last.was === one.was && last.now === one.now) last.to = one.to;
    else joined.push({ ...one });
    return joined;
  }, []);
}
