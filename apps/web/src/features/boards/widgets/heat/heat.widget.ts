import { IconGridDots } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { OVER_TIME } from '../options.ts';

export const heat = widget<'heat'>({
  kind: 'heat',
  Icon: IconGridDots,
  group: 'time',
  size: { w: 12, h: 11 },
  hasOwnHead: true,
  View: lazyView(() => import('./heat-view.tsx'), 'HeatView'),
  form: [
    { name: 'stream', kind: 'stream' },
    { name: 'function', kind: 'choice', options: OVER_TIME },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: { stream: { over: 'descendants', role: 'acPower', combine: 'sum' }, range: 'last-14-days' },
});
