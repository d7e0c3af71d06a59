import type { FindingWords } from '../../app/feature.ts';

export const findings: readonly FindingWords[] = [
  {
    kind: 'history-imports',
    name: 'historyImports.found.name',
    title: 'historyImports.found.title',
    advice: 'historyImports.found.advice',
    to: '/admin/data/imports',
    go: 'historyImports.found.go',
  },
];
