import {
  type Asked,
  type AskedTime,
  askedStreams,
  kpiKey,
  streamKey,
} from '@albedo/contract/boards/asked-streams';
import { type BoardItem, everyItem } from '@albedo/contract/boards/board-items';
import type { Board, StoredBoard } from '@albedo/contract/boards/boards.schema';
import { bindingsOf, boundItems, choicesOf, keptFree } from '@albedo/contract/boards/variables';
import {
  DISPLAY_LIMITS,
  type DisplayPage,
  type ShownDisplay,
} from '@albedo/contract/displays/displays.schema';
import { type Entity, NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { EntityWorld } from '@albedo/contract/entities/entity-streams';
import type { EntityLabel } from '@albedo/contract/entities/labels';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import type { LookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import type { Machine } from '@albedo/contract/machines/machines.schema';
import { onPage, plainRange } from './display-kpis.ts';
import { type AllowedTimes, timeOnPage } from './display-times.ts';

/** What the maker of a link sees of the workgroup. */
export interface Sight {
  entities: readonly Entity[];
  sources: readonly KnownSource[];
  machines: readonly Machine[];
  lookupTables: readonly LookupTable[];
}

type Offered = ShownDisplay['pages'][number]['offered'];

/** Facts of entities that widgets draw by; all others stay at home. */
const FACTS =
  /^(lat|latitude|lon|lng|longitude|time_?zone|zone|kwp|kw|peakpowerkw|peakpowerw|ratedpowerkw|ratedpowerw)$/i;

/** The entities that a page turns through, and those that may be chosen in front of it. */
export function entitiesOfPage(
  { entity }: Pick<DisplayPage, 'entity'>,
  { type, typeId }: Pick<StoredBoard, 'type' | 'typeId'>,
  all: readonly Entity[],
  isFree: boolean,
): { entities: string[]; choices: string[] } {
  const shows = all
    .filter(({ _id, labels }) => (type === 'entity' ? _id === typeId : labels.includes(typeId)))
    .filter(({ isNameOnly }) => !isNameOnly)
    .map(({ _id }) => _id);
  const entities =
    entity === 'each' ? shows : entity === null ? shows.slice(0, 1) : shows.filter((id) => id === entity);
  return { entities, choices: isFree ? shows : entities };
}

/**
 * A dashboard in which variables are what the page says: those in front of the display cannot change them, but for those
 * that the page leaves free, and of these only to what they offer.
 */
export function withVariables<T extends Pick<StoredBoard, 'board'>>(
  stored: T,
  { variables: chosen = {}, free = [] }: Pick<DisplayPage, 'variables' | 'free'>,
  of: Pick<Sight, 'entities'> & { labels: readonly EntityLabel[] },
): { board: T; offered: Offered } {
  const { variables = [], ...board } = stored.board;
  const how = { ...of, chosen, free: new Set(free) };
  const bindings = bindingsOf(variables, chosen, of);
  const kept = keptFree(variables, bindings, how);
  const items = boundItems(board.items, how, bindings);
  const shown = { ...board, items, ...(kept.length > 0 ? { variables: kept } : {}) };
  const offered = [...variablesOf(shown)].flatMap(([key, one]) => {
    const choices = choicesOf(one, of, key);
    return choices ? [[key, choices] as const] : [];
  });
  return { board: { ...stored, board: shown }, offered: Object.fromEntries(offered) };
}

/** All variables of a dashboard by their keys. */
export function variablesOf({ items, variables = [] }: Pick<Board, 'items' | 'variables'>) {
  const own = variables.map((one) => [one.name, one] as const);
  const inside = everyItem(items).flatMap(({ id, variables: all = [] }) =>
    all.map((one) => [`${id}.${one.name}`, one] as const),
  );
  return new Map([...own, ...inside]);
}

/**
 * The widgets of a dashboard as they can be: first with what their variables are first, then each widget that uses free
 * ones by itself, in its groups, once for every way to choose them. What is typed is only ever what it is first: it may
 * stand in texts, but lead to no other stream.
 */
export function* everyChoice(
  { items, variables = [] }: Pick<Board, 'items' | 'variables'>,
  offered: Offered,
): Generator<BoardItem[]> {
  const world = { entities: [], labels: [], offered };
  const bound = (some: readonly BoardItem[], chosen: Record<string, string>) =>
    boundItems(some, { ...world, chosen }, bindingsOf(variables, chosen, world));
  yield bound(items, {});
  for (const one of eachAlone(items)) {
    const text = JSON.stringify(one);
    const used = [...variablesOf({ items: [one], variables })].flatMap(([key, { name }]) => {
      const choices = Object.hasOwn(offered, key) ? offered[key] : undefined;
      return choices && new RegExp(`\\{\\{ *${name} *\\}\\}`).test(text) ? [{ key, choices }] : [];
    });
    if (used.length > 0) for (const chosen of waysToChoose(used)) yield bound([one], chosen);
  }
}

/** Each widget with nothing but the groups around it. */
function* eachAlone(items: readonly BoardItem[]): Generator<BoardItem> {
  for (const one of items) {
    if (!one.items || one.items.length === 0) yield one;
    else for (const inner of eachAlone(one.items)) yield { ...one, items: [inner] };
  }
}

function* waysToChoose(
  all: readonly { key: string; choices: Offered[string] }[],
): Generator<Record<string, string>> {
  const [first, ...rest] = all;
  if (!first) {
    yield {};
    return;
  }
  for (const { value } of first.choices)
    for (const chosen of waysToChoose(rest)) yield { ...chosen, [first.key]: value };
}

/** Whether there are more ways to choose than a display may have. */
export function hasTooManyChoices(
  { board, offered }: { board: Pick<StoredBoard, 'board'>; offered: Offered },
  entities: number,
): boolean {
  if (Object.keys(offered).length === 0) return false;
  let count = 0;
  for (const _ of everyChoice(board.board, offered))
    if (++count * Math.max(1, entities) > DISPLAY_LIMITS.choices) return true;
  return false;
}

/** What of the workgroup goes to a display: what its boards ask of the entities of its pages, and nothing beside it. */
export function sightOfDisplay(
  { pages, free }: Pick<ShownDisplay, 'pages' | 'free'>,
  { entities, sources, machines, lookupTables }: Sight,
): Pick<ShownDisplay, 'entities' | 'sources' | 'machines' | 'lookupTables'> &
  Pick<Asked, 'streams' | 'kpis'> & { times: ReadonlyMap<string, AllowedTimes> } {
  const world = new EntityWorld({ entities, sources, machines });
  const byId = new Map(entities.map((one) => [one._id, one]));
  const streams: Asked['streams'] = new Map();
  const times = new Map<string, AllowedTimes>();
  const kpis: Asked['kpis'] = new Map();
  const shown = new Set<string>();
  for (const { board, choices, offered, range } of pages) {
    const ofPage = plainRange(range ?? (board.board as Board).range) ?? 'today';
    let left = Math.max(1, Math.floor(DISPLAY_LIMITS.choices / choices.length));
    for (const items of everyChoice(board.board as Board, offered)) {
      for (const start of choices) {
        const asked = askedStreams(world, start, items);
        for (const [key, one] of asked.streams) streams.set(key, one);
        for (const [key, all] of asked.times)
          for (const one of all) allow(times, key, timeOnPage(one, ofPage, free.includes('range')));
        for (const id of asked.entities) shown.add(id);
        for (const one of asked.kpis.values()) {
          const kpi = onPage(one, ofPage, free.includes('range'));
          kpis.set(kpiKey(kpi), kpi);
        }
      }
      // Where a dashboard has come to offer more since the link was made, the rest of it is refused.
      if (--left === 0) break;
    }
  }
  // Streams are found from the top down, and a zone may be that of what is above.
  for (const id of [...shown])
    for (let one = byId.get(byId.get(id)?.parent ?? ''); one && !shown.has(one._id); )
      one = shown.add(one._id) && byId.get(one.parent ?? '');
  const isAsked = (one: { deviceId: string; table: string; source: string; field: string }) =>
    streams.has(streamKey(one));
  const heard = sources.flatMap((one) => {
    const fields = one.fields.filter(({ name }) => isAsked({ ...one, field: name }));
    return fields.length > 0 ? [{ ...one, fields }] : [];
  });
  const places = new Set([...streams.values()].map(({ deviceId, source }) => `${deviceId}\n${source}`));
  const own = entities.filter(({ _id }) => shown.has(_id)).map((one) => trimmed(one, shown, places, isAsked));
  const types = new Set(own.map(({ machine }) => machine));
  const fields = new Set([...streams.values()].map(({ field }) => field));
  return {
    ...{ streams, times, kpis },
    entities: own,
    sources: heard,
    machines: machines.filter(({ _id }) => types.has(_id)),
    lookupTables: lookupTables
      .map((one) => ({
        ...one,
        values: one.values.filter(({ field }) => field !== null && fields.has(field)),
      }))
      .filter(({ values }) => values.length > 0),
  };
}

function allow(times: Map<string, AllowedTimes>, key: string, time: AskedTime | null): void {
  const known = times.get(key);
  if (known === null) return;
  if (time === null) times.set(key, null);
  else if (!known) times.set(key, [time]);
  else if (!known.some(({ range, compare }) => range === time.range && compare === time.compare))
    known.push(time);
}

function trimmed(
  { _id, name, parent, children, labels, machine, meta, signals, version }: Entity,
  shown: ReadonlySet<string>,
  places: ReadonlySet<string>,
  isAsked: (one: { deviceId: string; table: string; source: string; field: string }) => boolean,
): Entity {
  return {
    ...{ _id, name, labels, machine, version },
    parent: parent !== null && shown.has(parent) ? parent : null,
    children: children.filter((id) => shown.has(id)),
    meta: Object.fromEntries(Object.entries(meta).filter(([fact]) => FACTS.test(fact))),
    signals: {
      ...NO_SIGNALS,
      sources: signals.sources.filter((one) => places.has(`${one.deviceId}\n${one.source}`)),
      fields: signals.fields.filter(isAsked),
      calculationFields: signals.calculationFields
        .map((one) => ({
          ...one,
          fields: one.fields.filter((field) => isAsked({ ...one, deviceId: one.calculation_id, field })),
        }))
        .filter((one) => one.fields.length > 0),
    },
    settings: {},
  };
}
