import type { FindingWords } from '../../app/feature.ts';

export const findings: readonly FindingWords[] = [
  {
    kind: 'calculations',
    name: 'calculations.found.name',
    title: 'calculations.found.title',
    advice: 'calculations.found.advice',
    to: '/admin/data/calculations',
    go: 'calculations.found.go',
  },
];
