import { IconChartDots, IconChartHistogram } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { INTERVALS } from '../options.ts';

export const scatter = widget<'scatter'>({
  kind: 'scatter',
  Icon: IconChartDots,
  group: 'time',
  size: { w: 10, h: 10 },
  hasOwnHead: true,
  View: lazyView(() => import('./scatter-view.tsx'), 'ScatterView'),
  form: [
    { name: 'x', kind: 'stream' },
    { name: 'y', kind: 'stream' },
    { name: 'interval', kind: 'choice', options: INTERVALS },
    { name: 'hasCurve', kind: 'flag' },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: {
    x: { over: 'descendants', role: 'irradiancePoa', combine: 'mean' },
    y: { over: 'descendants', role: 'acPower', combine: 'sum' },
    interval: '15m',
    range: 'last-7-days',
  },
});

export const duration = widget<'duration'>({
  kind: 'duration',
  Icon: IconChartHistogram,
  group: 'time',
  size: { w: 10, h: 10 },
  hasOwnHead: true,
  View: lazyView(() => import('./scatter-view.tsx'), 'DurationView'),
  form: [
    { name: 'streams', kind: 'streams', most: 10 },
    { name: 'interval', kind: 'choice', options: INTERVALS },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: { streams: [{ over: 'descendants', role: 'gridPower', combine: 'sum' }], range: 'last-7-days' },
});
