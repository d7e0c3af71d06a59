import { IconMap2 } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { FUNCTIONS, ROWS } from '../options.ts';

export const map = widget<'map'>({
  kind: 'map',
  Icon: IconMap2,
  group: 'entities',
  size: { w: 12, h: 10 },
  canSave: true,
  View: lazyView(() => import('./map-board-view.tsx'), 'MapBoardView'),
  form: [
    { name: 'rows', kind: 'choice', options: ROWS },
    { name: 'label', kind: 'label', when: ({ rows }) => rows === 'label' },
    { name: 'stream', kind: 'stream' },
    { name: 'function', kind: 'choice', options: FUNCTIONS },
    { name: 'unit', kind: 'text' },
    { name: 'decimals', kind: 'number' },
    { name: 'thresholds', kind: 'thresholds' },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: { stream: { over: 'descendants', role: 'acPower', combine: 'sum' } },
});
