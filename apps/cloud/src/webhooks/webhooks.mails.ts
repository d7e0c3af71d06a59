import type { FailurePage } from '../outbound/failure-mails.ts';

/** How mails about a failing webhook name it, and where they lead. */
export const WEBHOOKS_PAGE: FailurePage = {
  path: '/admin/workgroup/webhooks',
  words: {
    en: { thing: 'The webhook', open: 'Open the webhooks' },
    de: { thing: 'Der Webhook', open: 'Webhooks öffnen' },
    es: { thing: 'El webhook', open: 'Abrir los webhooks' },
  },
};
