import { IconNumber123 } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { FUNCTIONS } from '../options.ts';

export const number = widget<'number'>({
  kind: 'number',
  Icon: IconNumber123,
  group: 'figures',
  size: { w: 4, h: 4 },
  canSave: true,
  View: lazyView(() => import('./number-view.tsx'), 'NumberView'),
  form: [
    { name: 'stream', kind: 'stream' },
    { name: 'function', kind: 'choice', options: FUNCTIONS },
    { name: 'hasSparkline', kind: 'flag' },
    { name: 'target', kind: 'number' },
    { name: 'unit', kind: 'text' },
    { name: 'decimals', kind: 'number' },
    { name: 'thresholds', kind: 'thresholds' },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: { stream: { over: 'descendants', role: 'acPower', combine: 'sum' } },
});
