import type { FindingWords } from '../../app/feature.ts';

export const findings: readonly FindingWords[] = [
  {
    kind: 'webhooks',
    name: 'webhooks.found.name',
    title: 'webhooks.found.title',
    advice: 'webhooks.found.advice',
    to: '/admin/workgroup/webhooks',
    go: 'webhooks.found.go',
  },
];
