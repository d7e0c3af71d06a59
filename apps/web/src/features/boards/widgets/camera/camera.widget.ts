import { IconDeviceCctv } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const camera = widget<'camera'>({
  kind: 'camera',
  Icon: IconDeviceCctv,
  group: 'content',
  size: { w: 9, h: 9 },
  View: lazyView(() => import('./camera-view.tsx'), 'CameraView'),
  form: [
    { name: 'camera', kind: 'camera' },
    { name: 'link', kind: 'link' },
  ],
  initial: {},
});
