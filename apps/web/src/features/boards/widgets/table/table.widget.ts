import { IconTable } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { ROWS } from '../options.ts';

export const table = widget<'table'>({
  kind: 'table',
  Icon: IconTable,
  group: 'entities',
  size: { w: 12, h: 9 },
  canSave: true,
  View: lazyView(() => import('./table-view.tsx'), 'TableView'),
  form: [
    { name: 'rows', kind: 'choice', options: ROWS },
    { name: 'label', kind: 'label', when: ({ rows }) => rows === 'label' },
    { name: 'columns', kind: 'columns', most: 12 },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: {
    columns: [
      { stream: { over: 'descendants', role: 'acPower', combine: 'sum' } },
      { stream: { over: 'descendants', role: 'energyTotal', combine: 'sum' }, function: 'difference' },
    ],
  },
});
