import type { FindingWords } from '../../app/feature.ts';

export const findings: readonly FindingWords[] = [
  {
    kind: 'external-sources',
    name: 'externalSources.found.name',
    title: 'externalSources.found.title',
    advice: 'externalSources.found.advice',
    to: '/admin/data/external-sources',
    go: 'externalSources.found.go',
  },
];
