import { IconListSearch } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const search = widget<'search'>({
  kind: 'search',
  Icon: IconListSearch,
  group: 'content',
  size: { w: 12, h: 9 },
  View: lazyView(() => import('./search-view.tsx'), 'SearchView'),
  form: [
    { name: 'search', kind: 'search' },
    { name: 'link', kind: 'link' },
  ],
  initial: {},
});
