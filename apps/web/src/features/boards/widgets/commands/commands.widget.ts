import { IconPlayerPlay } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { ROWS } from '../options.ts';

export const commands = widget<'commands'>({
  kind: 'commands',
  Icon: IconPlayerPlay,
  group: 'content',
  size: { w: 6, h: 4 },
  View: lazyView(() => import('./commands-view.tsx'), 'CommandsView'),
  form: [
    { name: 'commands', kind: 'commands' },
    { name: 'order', kind: 'choice', options: ['single', 'stack'] },
    { name: 'rows', kind: 'choice', options: ROWS },
    { name: 'label', kind: 'label', when: ({ rows }) => rows === 'label' },
    { name: 'link', kind: 'link' },
  ],
  initial: {},
});
