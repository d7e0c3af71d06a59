import { IconRouter } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { ROWS } from '../options.ts';

export const devices = widget<'devices'>({
  kind: 'devices',
  Icon: IconRouter,
  group: 'entities',
  size: { w: 8, h: 8 },
  canSave: true,
  View: lazyView(() => import('./devices-view.tsx'), 'DevicesView'),
  form: [
    { name: 'rows', kind: 'choice', options: ROWS },
    { name: 'label', kind: 'label', when: ({ rows }) => rows === 'label' },
    { name: 'link', kind: 'link' },
  ],
  initial: { rows: 'descendants' },
});
