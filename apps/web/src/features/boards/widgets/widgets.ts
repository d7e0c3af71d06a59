import type { BoardItem } from '@albedo/contract/boards/board-items';
import type { Widget } from '../widget.ts';
import { camera } from './camera/camera.widget.ts';
import { commands } from './commands/commands.widget.ts';
import { completeness } from './completeness/completeness.widget.ts';
import { devices } from './devices/devices.widget.ts';
import { diagram } from './diagram/diagram.widget.ts';
import { energy } from './energy/energy.widget.ts';
import { expected } from './expected/expected.widget.ts';
import { flow } from './flow/flow.widget.ts';
import { cylinder, gauge, speedometer } from './gauge/gauge.widget.ts';
import { group } from './group/group.widget.ts';
import { heat } from './heat/heat.widget.ts';
import { image } from './image/image.widget.ts';
import { incidents } from './incidents/incidents.widget.ts';
import { kpi } from './kpi/kpi.widget.ts';
import { last } from './last/last.widget.ts';
import { league } from './league/league.widget.ts';
import { bars, lines } from './lines/lines.widget.ts';
import { map } from './map/map.widget.ts';
import { number } from './number/number.widget.ts';
import { photo } from './photo/photo.widget.ts';
import { plants } from './plants/plants.widget.ts';
import { duration, scatter } from './scatter/scatter.widget.ts';
import { search } from './search/search.widget.ts';
import { status } from './status/status.widget.ts';
import { table } from './table/table.widget.ts';
import { text } from './text/text.widget.ts';
import { timeline } from './timeline/timeline.widget.ts';

/** Every widget that can be shown and offered; one line each. */
export const widgets: readonly Widget[] = [
  number,
  kpi,
  gauge,
  speedometer,
  cylinder,
  lines,
  bars,
  scatter,
  heat,
  duration,
  timeline,
  last,
  table,
  league,
  status,
  map,
  devices,
  completeness,
  incidents,
  plants,
  flow,
  energy,
  expected,
  diagram,
  text,
  image,
  photo,
  camera,
  search,
  commands,
  group,
];

const byKind = new Map<string, Widget>(widgets.map((one) => [one.kind, one]));

export const widgetOf = (kind: string): Widget | undefined => byKind.get(kind);

/** Columns and rows of a widget without a place. */
export const sizeOf = ({ kind }: BoardItem): { w: number; h: number } =>
  widgetOf(kind)?.size ?? { w: 8, h: 6 };
