import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { IconCylinder, IconDashboard, IconGauge } from '@tabler/icons-react';
import { type FormField, widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { FUNCTIONS } from '../options.ts';

const form: FormField<SettingsOf<'gauge'>>[] = [
  { name: 'stream', kind: 'stream' },
  { name: 'function', kind: 'choice', options: FUNCTIONS },
  { name: 'min', kind: 'number' },
  { name: 'max', kind: 'number' },
  { name: 'unit', kind: 'text' },
  { name: 'decimals', kind: 'number' },
  { name: 'thresholds', kind: 'thresholds' },
  { name: 'range', kind: 'range' },
  { name: 'link', kind: 'link' },
];
const common = {
  group: 'figures',
  size: { w: 5, h: 6 },
  form,
  initial: { stream: { over: 'descendants', role: 'acPower', combine: 'sum' } },
} as const;

export const gauge = widget<'gauge'>({
  ...common,
  kind: 'gauge',
  Icon: IconGauge,
  canSave: true,
  View: lazyView(() => import('./gauge-view.tsx'), 'GaugeView'),
});
export const speedometer = widget<'speedometer'>({
  ...common,
  kind: 'speedometer',
  Icon: IconDashboard,
  canSave: true,
  View: lazyView(() => import('./gauge-view.tsx'), 'SpeedometerView'),
});
export const cylinder = widget<'cylinder'>({
  ...common,
  kind: 'cylinder',
  Icon: IconCylinder,
  size: { w: 4, h: 7 },
  canSave: true,
  View: lazyView(() => import('./gauge-view.tsx'), 'CylinderView'),
});
