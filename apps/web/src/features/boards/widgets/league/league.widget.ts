import { IconListNumbers } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';
import { FUNCTIONS, ROWS } from '../options.ts';

export const league = widget<'league'>({
  kind: 'league',
  Icon: IconListNumbers,
  group: 'entities',
  size: { w: 8, h: 9 },
  canSave: true,
  View: lazyView(() => import('./league-view.tsx'), 'LeagueView'),
  form: [
    { name: 'rows', kind: 'choice', options: ROWS },
    { name: 'label', kind: 'label', when: ({ rows }) => rows === 'label' },
    { name: 'by', kind: 'choice', options: ['stream', 'kpi'], addon: 'calculations' },
    { name: 'stream', kind: 'stream', when: ({ by }) => by === 'stream' },
    { name: 'function', kind: 'choice', options: FUNCTIONS, when: ({ by }) => by === 'stream' },
    { name: 'figure', kind: 'kpi', when: ({ by }) => by === 'kpi' },
    { name: 'worst', kind: 'choice', options: ['low', 'high'] },
    { name: 'isPerRated', kind: 'flag', when: ({ by }) => by === 'stream' },
    { name: 'most', kind: 'number' },
    { name: 'unit', kind: 'text' },
    { name: 'decimals', kind: 'number' },
    { name: 'thresholds', kind: 'thresholds' },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: { stream: { over: 'descendants', role: 'energyTotal', combine: 'sum' } },
});
