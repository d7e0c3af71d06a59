import { IconBell } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { ROWS } from '../options.ts';

export const incidents = widget<'incidents'>({
  kind: 'incidents',
  Icon: IconBell,
  group: 'entities',
  size: { w: 8, h: 8 },
  canSave: true,
  View: lazyView(() => import('./incidents-view.tsx'), 'IncidentsView'),
  form: [
    { name: 'rows', kind: 'choice', options: ROWS },
    { name: 'label', kind: 'label', when: ({ rows }) => rows === 'label' },
    { name: 'most', kind: 'number' },
    { name: 'link', kind: 'link' },
  ],
  initial: { rows: 'descendants' },
});
