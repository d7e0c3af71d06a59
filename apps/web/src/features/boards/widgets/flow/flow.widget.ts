import { IconArrowsSplit2 } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const flow = widget<'flow'>({
  kind: 'flow',
  Icon: IconArrowsSplit2,
  group: 'energy',
  size: { w: 8, h: 9 },
  canSave: true,
  View: lazyView(() => import('./flow-view.tsx'), 'FlowView'),
  form: [
    { name: 'over', kind: 'choice', options: ['self', 'descendants'] },
    { name: 'of', kind: 'choice', options: ['power', 'energy'] },
    { name: 'range', kind: 'range', when: ({ of }) => of === 'energy' },
    { name: 'link', kind: 'link' },
  ],
  initial: {},
});
