import type { FindingWords } from '../../app/feature.ts';

export const findings: readonly FindingWords[] = [
  {
    kind: 'sign-in-certificates',
    name: 'identityProviders.found.name',
    title: 'identityProviders.found.title',
    advice: 'identityProviders.found.advice',
    to: '/admin/workgroup/settings',
    go: 'identityProviders.found.go',
  },
];
