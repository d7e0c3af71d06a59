import type { AlarmLoad } from '@albedo/contract/incidents/incidents.schema';
import type { Severity } from './incident-state.ts';
import type { Announcement } from './incidents.store.ts';

const MINUTE_MS = 60_000;
const TEN_MS = 10 * MINUTE_MS;
const DAY_MS = 86_400_000;
/** A flood begins above ten in ten minutes and is over below five. Source: ISA-18.2, EEMUA 191. */
const FLOOD = { above: 10, below: 5 };
/** Three within a minute chatter. Source: ISA-18.2. */
const CHATTERS = 3;
const TOLD_ACTORS = 10;
/** Minutes of being clear that are tried as a cure. */
const CURES = [5, 15, 30, 60];

type Standing = Pick<Announcement, 'alert' | 'subjectKey' | 'createdAt' | 'closedAt' | 'clearedAt'>;

/**
 * How many alarms an operator got, against what people can take. Limits: EEMUA 191 and ISA-18.2. `told`: what was
 * announced, oldest first; `standing`: what stands at `to`.
 */
export function loadOf({
  from,
  to,
  told,
  standing,
  severities,
}: {
  from: number;
  to: number;
  told: readonly Announcement[];
  standing: readonly Standing[];
  severities: ReadonlyMap<string, Severity>;
}): AlarmLoad {
  const times = told.map(({ at }) => at.getTime());
  const spanMs = Math.max(1, to - from);
  const byActor = Map.groupBy(told, ({ alert, subjectKey }) => `${alert} ${subjectKey}`);
  const actors = [...byActor.values()].sort((a, b) => b.length - a.length).slice(0, TOLD_ACTORS);
  const topTen = actors.reduce((sum, one) => sum + one.length, 0);
  const chattering = [...byActor.values()].filter(isChattering);
  const all = [
    ...new Map(
      [...told, ...standing].map((one) => [`${one.alert} ${one.subjectKey} ${one.createdAt.getTime()}`, one]),
    ).values(),
  ];
  const share = (test: (rank: number) => boolean) =>
    told.length === 0
      ? null
      : percent(
          told.filter(({ severity }) => test(severities.get(severity)?.rank ?? severities.size)).length,
          told.length,
        );
  const atMost = (name: AlarmLoad['metrics'][number]['name'], value: number | null, limit: number) => ({
    name,
    value,
    limit,
    isMet: value === null ? null : value <= limit,
  });
  const staleCount = mostStale(all, from, to);
  // Fewer than five, on any day.
  const stale = { name: 'stale' as const, value: staleCount, limit: 5, isMet: staleCount < 5 };
  const lowest = severities.size - 1;
  const low = share((rank) => rank >= lowest);
  return {
    from,
    to,
    total: told.length,
    metrics: [
      atMost('averagePer10Minutes', round((told.length * TEN_MS) / spanMs), 1),
      atMost('mostIn10Minutes', mostWithin(times, TEN_MS), 10),
      atMost('floodPercent', percent(floodMs(times, from, to), spanMs), 1),
      atMost('standing', standing.length, 10),
      atMost('topTenPercent', told.length === 0 ? null : percent(topTen, told.length), 5),
      stale,
      atMost('chattering', chattering.length, 0),
      { name: 'lowPercent', value: low, limit: 80, isMet: low === null ? null : low >= 80 },
      atMost(
        'mediumPercent',
        share((rank) => rank > 0 && rank < lowest),
        15,
      ),
      atMost(
        'highPercent',
        share((rank) => rank === 0),
        5,
      ),
    ],
    course: courseOf(times),
    badActors: actors.map((own) => {
      const [first] = own as [Announcement, ...Announcement[]];
      return {
        alert: first.alert,
        name: first.name,
        subject: first.subject,
        device: first.device,
        count: own.length,
        percent: percent(own.length, told.length),
        isChattering: isChattering(own),
        isStale: own.some((one) => staleFrom(one) < endOf(one, to)),
        cure: cureOf(own.map(({ at }) => at.getTime())),
      };
    }),
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;
const percent = (part: number, whole: number): number => round((part / whole) * 100);

/** The most times in any span of this length. */
export function mostWithin(times: readonly number[], spanMs: number): number {
  let most = 0;
  let first = 0;
  for (const [i, at] of times.entries()) {
    while ((times[first] ?? 0) <= at - spanMs) first++;
    most = Math.max(most, i - first + 1);
  }
  return most;
}

/** How long there was a flood, ms. */
function floodMs(times: readonly number[], from: number, to: number): number {
  const edges = times.flatMap((at) => [
    { at, by: 1 },
    { at: at + TEN_MS, by: -1 },
  ]);
  edges.sort((a, b) => a.at - b.at || a.by - b.by);
  let [count, total] = [0, 0];
  let since: number | null = null;
  for (const { at, by } of edges) {
    count += by;
    if (since === null && count > FLOOD.above) since = at;
    else if (since !== null && count < FLOOD.below) {
      total += Math.max(0, Math.min(to, at) - Math.max(from, since));
      since = null;
    }
  }
  return since === null ? total : total + Math.max(0, to - Math.max(from, since));
}

const staleFrom = ({ createdAt }: Standing): number => createdAt.getTime() + DAY_MS;
const endOf = ({ clearedAt, closedAt }: Standing, to: number): number =>
  (clearedAt ?? closedAt)?.getTime() ?? to;

/** On the worst day, how many stood longer than a day. */
function mostStale(all: readonly Standing[], from: number, to: number): number {
  let most = 0;
  for (let day = Math.floor(from / DAY_MS) * DAY_MS; day < to; day += DAY_MS) {
    const end = Math.min(to, day + DAY_MS);
    most = Math.max(
      most,
      all.filter((one) => staleFrom(one) < end && endOf(one, to) > Math.max(day, staleFrom(one))).length,
    );
  }
  return most;
}

const isChattering = (own: readonly Announcement[]): boolean =>
  mostWithin(
    own.map(({ at }) => at.getTime()),
    MINUTE_MS,
  ) >= CHATTERS;

function courseOf(times: readonly number[]): AlarmLoad['course'] {
  const counts = new Map<number, number>();
  for (const at of times) {
    const begin = Math.floor(at / TEN_MS) * TEN_MS;
    counts.set(begin, (counts.get(begin) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a - b).map(([at, count]) => ({ at, count }));
}

/** The shortest time of being clear that would have halved them; those that come again within it are one. */
function cureOf(times: readonly number[]): AlarmLoad['badActors'][number]['cure'] {
  if (times.length < CHATTERS) return null;
  for (const minutes of CURES) {
    const count = times.filter((at, i) => i === 0 || at - (times[i - 1] ?? 0) > minutes * MINUTE_MS).length;
    if (count * 2 <= times.length) return { change: 'clearMinutes', minutes, count };
  }
  return null;
}
