import { IconGridDots } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { HEAT_BY, INTERVALS, OVER_TIME } from '../options.ts';

export const heat = widget<'heat'>({
  kind: 'heat',
  Icon: IconGridDots,
  group: 'time',
  size: { w: 12, h: 11 },
  hasOwnHead: true,
  View: lazyView(() => import('./heat-view.tsx'), 'HeatView'),
  form: [
    { name: 'by', kind: 'choice', options: HEAT_BY, label: 'heatBy' },
    { name: 'stream', kind: 'stream' },
    { name: 'function', kind: 'choice', options: OVER_TIME },
    { name: 'interval', kind: 'choice', options: INTERVALS, when: ({ by }) => by !== 'calendar' },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: { stream: { over: 'descendants', role: 'acPower', combine: 'sum' }, range: 'last-14-days' },
});
