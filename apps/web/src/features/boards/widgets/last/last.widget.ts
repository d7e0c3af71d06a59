import { IconListNumbers } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const last = widget<'last'>({
  kind: 'last',
  Icon: IconListNumbers,
  group: 'time',
  size: { w: 8, h: 9 },
  canSave: true,
  View: lazyView(() => import('./last-view.tsx'), 'LastView'),
  form: [
    { name: 'streams', kind: 'streams', most: 6 },
    { name: 'count', kind: 'number' },
    { name: 'link', kind: 'link' },
  ],
  initial: { streams: [{ over: 'descendants', role: 'acPower' }] },
});
