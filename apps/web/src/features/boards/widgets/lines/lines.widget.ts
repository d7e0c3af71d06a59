import { IconChartBar, IconChartLine } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { COMPARED, INTERVALS, OVER_TIME } from '../options.ts';

export const lines = widget<'lines'>({
  kind: 'lines',
  Icon: IconChartLine,
  group: 'time',
  size: { w: 12, h: 9 },
  hasOwnHead: true,
  View: lazyView(() => import('./lines-view.tsx'), 'LinesView'),
  form: [
    { name: 'streams', kind: 'streams', most: 20 },
    { name: 'function', kind: 'choice', options: OVER_TIME },
    { name: 'interval', kind: 'choice', options: INTERVALS },
    { name: 'compare', kind: 'choice', options: COMPARED },
    { name: 'hasLegend', kind: 'flag' },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: { streams: [{ over: 'descendants', role: 'acPower', combine: 'sum' }] },
});

export const bars = widget<'bars'>({
  kind: 'bars',
  Icon: IconChartBar,
  group: 'time',
  size: { w: 12, h: 9 },
  hasOwnHead: true,
  View: lazyView(() => import('./lines-view.tsx'), 'BarsView'),
  form: [
    { name: 'streams', kind: 'streams', most: 20 },
    { name: 'function', kind: 'choice', options: OVER_TIME },
    { name: 'interval', kind: 'choice', options: INTERVALS },
    { name: 'compare', kind: 'choice', options: COMPARED },
    { name: 'hasLegend', kind: 'flag' },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: { streams: [{ over: 'descendants', role: 'energyTotal', combine: 'sum' }], range: 'last-14-days' },
});
