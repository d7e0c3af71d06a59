import { type EntityNode, type EntityWorld, entitiesOver, streamsOf } from '../entities/entity-streams.ts';
import type { EntityStream } from '../entities/streams.schema.ts';
import type { BoardItem } from './board-items.ts';
import { settingsOf } from './boards.schema.ts';
import { selectorOf } from './stream-selector.ts';
import { type BoardStream, boardStream } from './streams.schema.ts';
import { type KpiFigure, kpiFigure } from './widgets/parts.ts';
import type { WidgetSchema } from './widgets/widget-schema.ts';
import { isWidgetKind, WIDGETS } from './widgets/widgets.ts';

/**
 * What a board looks at: the streams that its widgets ask for, by `streamKey`, the values of KPIs, by `kpiKey`, and the
 * entities they stand for.
 */
export interface Asked {
  streams: Map<string, EntityStream>;
  /** The ranges over which each stream is asked for, by the same key. */
  times: Map<string, AskedTime[]>;
  kpis: Map<string, AskedKpi>;
  entities: Set<string>;
}

/** The range of a widget, null for that of the board; with `compare`, also the same so much earlier. */
export interface AskedTime {
  range: string | null;
  compare: 'day' | 'week' | 'month' | 'year' | null;
}

/** A value of a KPI at an entity, over a range of the widget's own or that of the board. */
export interface AskedKpi {
  figure: KpiFigure;
  entity: string;
  range: string | null;
}

export const kpiKey = ({ figure: { kpi, value }, entity, range }: AskedKpi): string =>
  JSON.stringify([kpi, value ?? null, entity, range]);

export const streamKey = (of: { deviceId: string; table: string; source: string; field: string }): string =>
  JSON.stringify([of.deviceId.toLowerCase(), of.table, of.source, of.field]);

/** Everything that a board asks of one entity; what the caller of the world does not see is not in it. */
export function askedStreams(world: EntityWorld, entityId: string, items: readonly BoardItem[]): Asked {
  const asked: Asked = { streams: new Map(), times: new Map(), kpis: new Map(), entities: new Set() };
  walk(world, world.entity(entityId), items, asked);
  return asked;
}

function walk(
  world: EntityWorld,
  start: EntityNode | undefined,
  items: readonly BoardItem[],
  asked: Asked,
): void {
  if (!start) return;
  asked.entities.add(start._id);
  for (const item of items) {
    if (item.entity !== undefined && item.entity !== start._id) {
      const { entity, ...rest } = item;
      walk(world, world.entity(entity), [rest], asked);
      continue;
    }
    const settings = settingsOf(item) as (Record<string, unknown> & Rows) | null;
    if (settings === null || !isWidgetKind(item.kind)) continue;
    const schema: WidgetSchema = WIDGETS[item.kind];
    if (schema.isGroup) {
      const { repeat = 'none', label } = settings;
      const copies = repeat === 'none' ? [start] : rowsOf(world, start, repeat, label);
      for (const one of copies) walk(world, one, item.items ?? [], asked);
      continue;
    }
    const starts =
      settings.rows === undefined ? [start] : rowsOf(world, start, settings.rows, settings.label);
    const streams = [...streamsIn(settings), ...(schema.asks?.(settings) ?? [])];
    const figures = settings.by === 'stream' ? [] : figuresIn(settings);
    for (const one of starts) {
      asked.entities.add(one._id);
      const time = { range: settings.range ?? null, compare: settings.compare ?? null };
      for (const stream of streams) add(world, one, stream, { asked, time });
      for (const figure of figures) {
        const kpi = { figure, entity: one._id, range: settings.range ?? null };
        asked.kpis.set(kpiKey(kpi), kpi);
      }
    }
  }
}

interface Rows {
  rows?: string;
  repeat?: string;
  label?: string;
  range?: string;
  compare?: NonNullable<AskedTime['compare']>;
  by?: string;
}

const rowsOf = (world: EntityWorld, start: EntityNode, over: string, label: string | undefined) =>
  entitiesOver(world, start, { over, ...(label === undefined ? {} : { label }) });

function add(
  world: EntityWorld,
  start: EntityNode,
  { isPerChild, ...stream }: BoardStream,
  to: { asked: Asked; time: AskedTime },
): void {
  const { asked, time } = to;
  if (isPerChild) {
    for (const child of world.childrenOf(start._id)) {
      asked.entities.add(child._id);
      add(world, child, { ...stream, over: 'descendants' }, to);
    }
    return;
  }
  for (const one of streamsOf(world, start._id, selectorOf(stream))) {
    if (stream.source !== undefined && stream.source !== one.source) continue;
    const key = streamKey(one);
    asked.streams.set(key, one);
    const times = asked.times.get(key);
    if (!times) asked.times.set(key, [time]);
    else if (!times.some(({ range, compare }) => range === time.range && compare === time.compare))
      times.push(time);
    asked.entities.add(one.entity);
  }
}

/** Every stream in the settings of a widget, wherever it stands. */
function streamsIn(settings: unknown): BoardStream[] {
  if (typeof settings !== 'object' || settings === null) return [];
  if ('over' in settings && 'combine' in settings) {
    const { data } = boardStream.safeParse(settings);
    if (data) return [data];
  }
  return Object.values(settings).flatMap(streamsIn);
}

/** Every value of a KPI in the settings of a widget: its own, and those of its columns. */
function figuresIn({ figure, columns }: Record<string, unknown>): KpiFigure[] {
  const all = [{ figure }, ...(Array.isArray(columns) ? (columns as { figure?: unknown }[]) : [])];
  return all.flatMap((one) => kpiFigure.safeParse(one.figure).data ?? []);
}
