import type { z } from 'zod';
import {
  cameraWidget,
  commandsWidget,
  groupWidget,
  imageWidget,
  lastWidget,
  photoWidget,
  searchWidget,
  textWidget,
} from './content.ts';
import { diagramWidget } from './diagram.ts';
import { energyWidget, flowWidget } from './energy.ts';
import {
  completenessWidget,
  devicesWidget,
  expectedWidget,
  incidentsWidget,
  leagueWidget,
  mapWidget,
  plantsWidget,
  statusWidget,
  tableWidget,
} from './entities.ts';
import { cylinderWidget, gaugeWidget, speedometerWidget } from './gauge.ts';
import {
  barsWidget,
  durationWidget,
  heatWidget,
  linesWidget,
  scatterWidget,
  timelineWidget,
} from './lines.ts';
import { kpiWidget, numberWidget } from './number.ts';
import type { WidgetSchema } from './widget-schema.ts';

/** Every widget by its name; one line each. */
export const WIDGETS = {
  number: numberWidget,
  kpi: kpiWidget,
  gauge: gaugeWidget,
  speedometer: speedometerWidget,
  cylinder: cylinderWidget,
  lines: linesWidget,
  bars: barsWidget,
  last: lastWidget,
  scatter: scatterWidget,
  heat: heatWidget,
  duration: durationWidget,
  timeline: timelineWidget,
  table: tableWidget,
  league: leagueWidget,
  status: statusWidget,
  map: mapWidget,
  flow: flowWidget,
  energy: energyWidget,
  diagram: diagramWidget,
  text: textWidget,
  image: imageWidget,
  photo: photoWidget,
  camera: cameraWidget,
  search: searchWidget,
  devices: devicesWidget,
  completeness: completenessWidget,
  incidents: incidentsWidget,
  plants: plantsWidget,
  expected: expectedWidget,
  commands: commandsWidget,
  group: groupWidget,
} as const satisfies Record<string, WidgetSchema>;

export type WidgetKind = keyof typeof WIDGETS;
export type SettingsOf<K extends WidgetKind> = z.output<(typeof WIDGETS)[K]['settings']>;

export const isWidgetKind = (kind: string): kind is WidgetKind => Object.hasOwn(WIDGETS, kind);
