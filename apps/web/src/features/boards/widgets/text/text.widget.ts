import { IconMarkdown } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const text = widget<'text'>({
  kind: 'text',
  Icon: IconMarkdown,
  group: 'content',
  size: { w: 8, h: 5 },
  View: lazyView(() => import('./text-view.tsx'), 'TextView'),
  form: [{ name: 'text', kind: 'lines' }],
  initial: { text: '' },
});
