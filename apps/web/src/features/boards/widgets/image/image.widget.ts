import { IconPhotoPin } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const image = widget<'image'>({
  kind: 'image',
  Icon: IconPhotoPin,
  group: 'content',
  size: { w: 12, h: 10 },
  canSave: true,
  View: lazyView(() => import('./image-view.tsx'), 'ImageView'),
  form: [
    { name: 'picture', kind: 'picture' },
    { name: 'alt', kind: 'text' },
    { name: 'marks', kind: 'marks', most: 60 },
    { name: 'link', kind: 'link' },
  ],
  initial: {},
});
