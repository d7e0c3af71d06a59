import { IconMathFunction } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const kpi = widget<'kpi'>({
  kind: 'kpi',
  Icon: IconMathFunction,
  group: 'figures',
  addon: 'calculations',
  size: { w: 4, h: 4 },
  canSave: true,
  View: lazyView(() => import('./kpi-view.tsx'), 'KpiView'),
  form: [
    { name: 'figure', kind: 'kpi' },
    { name: 'hasSparkline', kind: 'flag' },
    { name: 'target', kind: 'number' },
    { name: 'unit', kind: 'text' },
    { name: 'decimals', kind: 'number' },
    { name: 'thresholds', kind: 'thresholds' },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: {},
});
