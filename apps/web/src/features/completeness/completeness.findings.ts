import type { FindingWords } from '../../app/feature.ts';

export const findings: readonly FindingWords[] = [
  {
    kind: 'gaps',
    name: 'completeness.foundGaps.name',
    title: 'completeness.foundGaps.title',
    advice: 'completeness.foundGaps.advice',
    amount: 'completeness.foundGaps.amount',
    to: '/devices',
    go: 'completeness.foundGaps.go',
  },
  {
    kind: 'set-aside',
    name: 'completeness.foundSetAside.name',
    title: 'completeness.foundSetAside.title',
    advice: 'completeness.foundSetAside.advice',
    amount: 'completeness.foundSetAside.amount',
    to: '/devices',
    go: 'completeness.foundSetAside.go',
  },
];
