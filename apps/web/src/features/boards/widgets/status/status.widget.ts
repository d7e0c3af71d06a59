import { IconListCheck } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { ROWS } from '../options.ts';

export const status = widget<'status'>({
  kind: 'status',
  Icon: IconListCheck,
  group: 'entities',
  size: { w: 8, h: 9 },
  canSave: true,
  View: lazyView(() => import('./status-view.tsx'), 'StatusView'),
  form: [
    { name: 'rows', kind: 'choice', options: ROWS },
    { name: 'label', kind: 'label', when: ({ rows }) => rows === 'label' },
    { name: 'stream', kind: 'stream' },
    { name: 'thresholds', kind: 'thresholds' },
    { name: 'silentMin', kind: 'number' },
    { name: 'link', kind: 'link' },
  ],
  initial: { stream: { over: 'self', role: 'state' } },
});
