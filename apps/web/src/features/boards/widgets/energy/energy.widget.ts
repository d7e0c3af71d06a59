import { IconChartHistogram } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

export const energy = widget<'energy'>({
  kind: 'energy',
  Icon: IconChartHistogram,
  group: 'energy',
  size: { w: 12, h: 10 },
  View: lazyView(() => import('./energy-view.tsx'), 'EnergyView'),
  form: [
    { name: 'granularity', kind: 'choice', options: ['hour', 'day', 'week', 'month', 'year'] },
    { name: 'chart', kind: 'choice', options: ['line', 'column'] },
    { name: 'hasProduction', kind: 'flag' },
    { name: 'production', kind: 'stream', when: ({ hasProduction }) => hasProduction },
    { name: 'hasEstimate', kind: 'flag' },
    { name: 'estimate', kind: 'stream', when: ({ hasEstimate }) => hasEstimate },
    { name: 'hasMeter', kind: 'flag' },
    { name: 'meter', kind: 'stream', when: ({ hasMeter }) => hasMeter },
    { name: 'hasBudget', kind: 'flag' },
    { name: 'budget', kind: 'stream', when: ({ hasBudget }) => hasBudget },
    { name: 'range', kind: 'range' },
    { name: 'link', kind: 'link' },
  ],
  initial: { range: 'last-30-days' },
});
