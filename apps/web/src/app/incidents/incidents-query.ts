import { alertsScreens } from '@albedo/contract/alerts/alerts.screens';
import { incidentsApi } from '@albedo/contract/incidents/incidents.api';
import type { Incident, IncidentDetail } from '@albedo/contract/incidents/incidents.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Span } from '../../ui/time-range/time-range.ts';
import { call } from '../call.ts';
import { denialOf, visitorOf } from '../guard.ts';
import { withLastState } from '../last-state.ts';
import { unlessTold } from '../live-list.ts';
import { queryClient } from '../query-client.ts';
import { useSession, useWorkgroup } from '../session.ts';
import { onConnected, onEvent } from '../socket.ts';
import { byGravity, isTold } from './gravity.ts';

/** Between two looks while no event announces what changed, ms. */
const FRESH_MS = 20_000;
/** The first incident shows at once; those that follow within this time are shown together, as in a flood. */
const GATHER_MS = 300;

const keys = {
  active: (wg: string) => ['incidents', wg] as const,
  one: (wg: string, incident: string) => ['incident', wg, incident] as const,
  history: (wg: string) => ['incident-history', wg] as const,
};

/** What is wrong now, the gravest and most costly first; kept true by the socket. */
export const incidentsQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.active(wg),
    queryFn: ({ signal }) =>
      withLastState(`incidents ${wg}`, () => call(incidentsApi.active, { params: { wg } }, signal)),
    staleTime: 60_000,
    refetchInterval: unlessTold(FRESH_MS),
    // Changes are merged one by one; comparing thousands deeply would cost more than it saves.
    structuralSharing: false,
  });

export const incidentQuery = (wg: string, incident: string) =>
  queryOptions({
    queryKey: keys.one(wg, incident),
    queryFn: ({ signal }) => call(incidentsApi.get, { params: { wg, incident } }, signal),
    refetchInterval: unlessTold(FRESH_MS),
  });

/** Incidents that one answer holds. */
export const HISTORY_ROWS = 5000;

/** Incidents that were open at some time of the span, the newest first. */
export const historyQuery = (wg: string, { from, to }: Span) =>
  queryOptions({
    queryKey: [...keys.history(wg), from, to],
    queryFn: ({ signal }) =>
      call(incidentsApi.history, { params: { wg }, query: { from, to, rows: HISTORY_ROWS } }, signal),
    gcTime: 2 * 60_000,
  });

export const loadQuery = (wg: string, { from, to }: Span) =>
  queryOptions({
    queryKey: ['incident-load', wg, from, to],
    queryFn: ({ signal }) => call(incidentsApi.load, { params: { wg }, query: { from, to } }, signal),
    gcTime: 2 * 60_000,
  });

/** What is wrong, by what it is about. */
export interface KnownIncidents {
  /** Undefined while they are not there yet. */
  all: readonly Incident[] | undefined;
  byId: ReadonlyMap<string, Incident>;
  /** Of a device and all of its sources, the gravest first. */
  ofDevice: (device: string) => readonly Incident[];
  /** Of one source. */
  ofSource: (device: string, source: string) => readonly Incident[];
}

/** The one list of what is wrong: cards, tiles, pins and pages read it, so that they tell the same. */
export function useIncidents(): KnownIncidents {
  return useIncidentsOf(useWorkgroup());
}

/** The same of a workgroup; nothing where nobody is signed in who could be told. */
export function useIncidentsOf(wg: string, isTellable = true): KnownIncidents {
  return knownOf(useQuery({ ...incidentsQuery(wg), enabled: isTellable }).data);
}

/** Whether the page of incidents opens for the user: where not, what is wrong is no link. */
export function useMayOpenIncidents(): boolean {
  const session = useSession();
  const visitor = session && visitorOf(session);
  return visitor !== null && denialOf(alertsScreens['/alerts'], visitor) === null;
}

const NONE: readonly Incident[] = [];
const NOTHING: KnownIncidents = {
  all: undefined,
  byId: new Map(),
  ofDevice: () => NONE,
  ofSource: () => NONE,
};
const indexed = new WeakMap<readonly Incident[], KnownIncidents>();

/** Made once for each list, however many look at it. */
function knownOf(all: readonly Incident[] | undefined): KnownIncidents {
  if (!all) return NOTHING;
  const made = indexed.get(all);
  if (made) return made;
  const byDevice = new Map<string, Incident[]>();
  for (const one of all) {
    if (one.device === null) continue;
    const some = byDevice.get(one.device);
    if (some) some.push(one);
    else byDevice.set(one.device, [one]);
  }
  const ofDevice = (device: string) => byDevice.get(device) ?? NONE;
  const known: KnownIncidents = {
    all,
    byId: new Map(all.map((one) => [one._id, one])),
    ofDevice,
    ofSource: (device, source) => ofDevice(device).filter((one) => one.source === source),
  };
  indexed.set(all, known);
  return known;
}

type OpenedHandler = (opened: readonly Incident[]) => void;
const openedHandlers = new Set<OpenedHandler>();

/** Calls `handler` with incidents that were not open before and call for attention; the answer stops it. */
export function onIncidentsOpened(handler: OpenedHandler): () => void {
  openedHandlers.add(handler);
  return () => openedHandlers.delete(handler);
}

let gathered = new Map<string, Incident>();
let isWaiting = false;
let shownAt = Number.NEGATIVE_INFINITY;

onEvent('incident', (incident) => {
  gathered.set(incident._id, incident);
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(flush, Math.max(0, shownAt + GATHER_MS - performance.now()));
});
// Nobody heard of what changed while the connection was away.
onConnected(() => void refresh());

function flush(): void {
  isWaiting = false;
  shownAt = performance.now();
  const news = [...gathered.values()];
  gathered = new Map();
  for (const wg of new Set(news.map(({ workgroupId }) => workgroupId)))
    takeIncidents(
      wg,
      news.filter(({ workgroupId }) => workgroupId === wg),
    );
}

/** Writes incidents as they are now into the cache. */
function takeIncidents(wg: string, news: readonly Incident[]): void {
  const before = queryClient.getQueryData(incidentsQuery(wg).queryKey);
  if (before) {
    const known = new Set(before.map(({ _id }) => _id));
    const changed = new Map(news.map((one) => [one._id, one]));
    const kept = before.filter(({ _id }) => !changed.has(_id));
    const open = news.filter(({ closedAt }) => closedAt === null);
    queryClient.setQueryData(incidentsQuery(wg).queryKey, [...kept, ...open].toSorted(byGravity));
    const opened = open.filter((one) => !known.has(one._id) && isTold(one));
    if (opened.length > 0) for (const handler of openedHandlers) handler(opened);
  }
  for (const { _id } of news) void queryClient.invalidateQueries({ queryKey: keys.one(wg, _id) });
  void queryClient.invalidateQueries({ queryKey: keys.history(wg) });
}

async function refresh(): Promise<void> {
  await Promise.all(
    ['incidents', 'incident', 'incident-history'].map((head) =>
      queryClient.invalidateQueries({ queryKey: [head] }),
    ),
  );
}

/** Adds the caller to those who acknowledged the incidents. */
export async function acknowledge(wg: string, ids: readonly string[]): Promise<void> {
  const [first] = ids;
  if (ids.length === 1 && first !== undefined) {
    takeIncidents(wg, [await call(incidentsApi.acknowledge, { params: { wg, incident: first } })]);
    return;
  }
  await call(incidentsApi.acknowledgeAll, { params: { wg }, body: { ids: [...ids] } });
  await refresh();
}

/** Silences the incident until an instant, epoch ms. */
export async function shelve(
  wg: string,
  incident: string,
  body: { reason: string; until: number },
): Promise<void> {
  takeIncidents(wg, [await call(incidentsApi.shelve, { params: { wg, incident }, body })]);
}

export async function unshelve(wg: string, incident: string): Promise<void> {
  takeIncidents(wg, [await call(incidentsApi.unshelve, { params: { wg, incident } })]);
}

export async function writeNote(wg: string, incident: string, text: string): Promise<void> {
  const detail = await call(incidentsApi.note, { params: { wg, incident }, body: { text } });
  queryClient.setQueryData<IncidentDetail>(keys.one(wg, incident), detail);
}
