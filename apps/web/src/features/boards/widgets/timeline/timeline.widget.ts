import { IconTimeline } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const timeline = widget<'timeline'>({
  kind: 'timeline',
  Icon: IconTimeline,
  group: 'time',
  size: { w: 12, h: 7 },
  canSave: true,
  View: lazyView(() => import('./timeline-view.tsx'), 'TimelineView'),
  form: [
    { name: 'streams', kind: 'streams', most: 20 },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: { streams: [{ over: 'descendants', role: 'state' }] },
});
