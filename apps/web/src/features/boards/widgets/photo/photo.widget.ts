import { IconCamera } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const photo = widget<'photo'>({
  kind: 'photo',
  Icon: IconCamera,
  group: 'content',
  size: { w: 8, h: 9 },
  View: lazyView(() => import('./photo-view.tsx'), 'PhotoView'),
  form: [
    { name: 'camera', kind: 'camera' },
    { name: 'show', kind: 'choice', options: ['newest', 'ofRange', 'aroundEvent'] },
    { name: 'event', kind: 'text', when: ({ show }) => show === 'aroundEvent' },
    { name: 'minutes', kind: 'number', when: ({ show }) => show === 'aroundEvent' },
    { name: 'link', kind: 'link' },
  ],
  initial: {},
});
