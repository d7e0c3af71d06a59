import { IconChartHistogram } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const expected = widget<'expected'>({
  kind: 'expected',
  Icon: IconChartHistogram,
  group: 'energy',
  size: { w: 5, h: 4 },
  canSave: true,
  View: lazyView(() => import('./expected-view.tsx'), 'ExpectedView'),
  form: [{ name: 'link', kind: 'link' }],
  initial: {},
});
