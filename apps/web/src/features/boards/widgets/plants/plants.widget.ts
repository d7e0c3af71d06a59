import { IconListNumbers } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const plants = widget<'plants'>({
  kind: 'plants',
  Icon: IconListNumbers,
  group: 'energy',
  size: { w: 10, h: 7 },
  canSave: true,
  View: lazyView(() => import('./plants-view.tsx'), 'PlantsView'),
  form: [
    { name: 'most', kind: 'number' },
    { name: 'link', kind: 'link' },
  ],
  initial: {},
});
