import type { FindingWords } from '../../app/feature.ts';

export const findings: readonly FindingWords[] = [
  {
    kind: 'devices-kept-out',
    name: 'devices.foundKeptOut.name',
    title: 'devices.foundKeptOut.title',
    advice: 'devices.foundKeptOut.advice',
    to: '/devices',
    go: 'devices.foundKeptOut.go',
  },
  {
    kind: 'device-certificates',
    name: 'devices.foundCertificates.name',
    title: 'devices.foundCertificates.title',
    advice: 'devices.foundCertificates.advice',
    to: '/devices',
    go: 'devices.foundCertificates.go',
    tab: 'certificates',
  },
];
