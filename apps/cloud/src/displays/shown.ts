import { type Asked, askedStreams, streamKey } from '@albedo/contract/boards/asked-streams';
import type { StoredBoard } from '@albedo/contract/boards/boards.schema';
import { bindingsOf, boundItems } from '@albedo/contract/boards/variables';
import type { DisplayPage, ShownDisplay } from '@albedo/contract/displays/displays.schema';
import { type Entity, NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { EntityWorld } from '@albedo/contract/entities/entity-streams';
import type { EntityLabel } from '@albedo/contract/entities/labels';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import type { LookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import type { Machine } from '@albedo/contract/machines/machines.schema';

/** What the maker of a link sees of the workgroup. */
export interface Sight {
  entities: readonly Entity[];
  sources: readonly KnownSource[];
  machines: readonly Machine[];
  lookupTables: readonly LookupTable[];
}

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

/** A dashboard in which variables are what the page says: those in front of the display cannot change them. */
export function withVariables<T extends Pick<StoredBoard, 'board'>>(
  stored: T,
  { variables: chosen = {} }: Pick<DisplayPage, 'variables'>,
  of: Pick<Sight, 'entities'> & { labels: readonly EntityLabel[] },
): T {
  const { variables = [], ...board } = stored.board;
  const items = boundItems(board.items, { ...of, chosen }, bindingsOf(variables, chosen, of));
  return { ...stored, board: { ...board, items } };
}

/** What of the workgroup goes to a display: what its boards ask of the entities of its pages, and nothing beside it. */
export function sightOfDisplay(
  pages: ShownDisplay['pages'],
  { entities, sources, machines, lookupTables }: Sight,
): Pick<ShownDisplay, 'entities' | 'sources' | 'machines' | 'lookupTables'> & { streams: Asked['streams'] } {
  const world = new EntityWorld({ entities, sources, machines });
  const byId = new Map(entities.map((one) => [one._id, one]));
  const streams: Asked['streams'] = new Map();
  const shown = new Set<string>();
  for (const { board, choices } of pages)
    for (const start of choices) {
      const asked = askedStreams(world, start, board.board.items as never);
      for (const [key, one] of asked.streams) streams.set(key, one);
      for (const id of asked.entities) shown.add(id);
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
    streams,
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

function trimmed(
  { _id, name, parent, children, labels, machine, meta, signals }: Entity,
  shown: ReadonlySet<string>,
  places: ReadonlySet<string>,
  isAsked: (one: { deviceId: string; table: string; source: string; field: string }) => boolean,
): Entity {
  return {
    ...{ _id, name, labels, machine },
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
