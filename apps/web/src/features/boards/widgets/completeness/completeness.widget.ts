import { IconChecklist } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { ROWS } from '../options.ts';

export const completeness = widget<'completeness'>({
  kind: 'completeness',
  Icon: IconChecklist,
  group: 'entities',
  size: { w: 8, h: 8 },
  canSave: true,
  View: lazyView(() => import('./completeness-view.tsx'), 'CompletenessView'),
  form: [
    { name: 'rows', kind: 'choice', options: ROWS },
    { name: 'label', kind: 'label', when: ({ rows }) => rows === 'label' },
    { name: 'link', kind: 'link' },
  ],
  initial: { rows: 'descendants' },
});
