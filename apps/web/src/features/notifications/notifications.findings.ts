import type { FindingWords } from '../../app/feature.ts';

export const findings: readonly FindingWords[] = [
  {
    kind: 'channels',
    name: 'notifications.foundChannels.name',
    title: 'notifications.foundChannels.title',
    advice: 'notifications.foundChannels.advice',
    to: '/admin/workgroup/notifications',
    go: 'notifications.foundChannels.go',
  },
  {
    kind: 'deliveries',
    name: 'notifications.foundDeliveries.name',
    title: 'notifications.foundDeliveries.title',
    advice: 'notifications.foundDeliveries.advice',
    to: '/admin/workgroup/notifications',
    go: 'notifications.foundDeliveries.go',
  },
];
