import { IconLayoutBoard } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const group = widget<'group'>({
  kind: 'group',
  Icon: IconLayoutBoard,
  group: 'content',
  size: { w: 24, h: 12 },
  isBare: true,
  View: lazyView(() => import('./group-view.tsx'), 'GroupView'),
  form: [
    { name: 'look', kind: 'choice', options: ['plain', 'frame', 'tabs'] },
    { name: 'repeat', kind: 'choice', options: ['none', 'children', 'descendants', 'label'] },
    { name: 'label', kind: 'label', when: ({ repeat }) => repeat === 'label' },
    { name: 'across', kind: 'number', when: ({ repeat }) => repeat !== 'none' },
  ],
  initial: {},
});
