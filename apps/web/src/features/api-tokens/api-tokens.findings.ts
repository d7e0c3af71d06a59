import type { FindingWords } from '../../app/feature.ts';

export const findings: readonly FindingWords[] = [
  {
    kind: 'api-tokens',
    name: 'apiTokens.found.name',
    title: 'apiTokens.found.title',
    advice: 'apiTokens.found.advice',
    to: '/admin/access/api-tokens',
    go: 'apiTokens.found.go',
  },
];
