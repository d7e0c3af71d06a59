import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Letter, Mail } from '../mail/mail.service.ts';
import type { Ticket } from './support.store.ts';

/** To who answers tickets. */
export const ticketMail = (to: string, ticket: Ticket, publicUrl: string): Mail => ({
  to,
  subject: `Ticket #${ticket.number}: ${ticket.subject}`,
  paragraphs: [`${ticket.name} needs help.`],
  quote: ticket.body,
  facts: [
    ['From', `${ticket.name} <${ticket.email}>`],
    ...fact('Account', ticket.email === ticket.accountEmail ? null : ticket.accountEmail),
    ...fact('Workgroup', ticket.workgroup),
    ...fact('Page', ticket.url),
    ...fact(
      'Attached',
      ticket.files.map(({ name, size }) => `${name} (${Math.ceil(size / 1000)} kB)`).join(', '),
    ),
  ],
  action: { text: 'Open tickets', url: `${publicUrl}/opsteam?tab=tickets` },
});

const fact = (name: string, value: string | null): [string, string][] => (value ? [[name, value]] : []);

/** To who wrote it. */
export function ticketCopyMail(ticket: Ticket, language: Language): Mail {
  const { number, name, subject, body, accountEmail } = ticket;
  const letters: Record<Language, Pick<Letter, 'subject' | 'paragraphs' | 'facts'>> = {
    en: {
      subject: `Your ticket has been created: Ref #${number}`,
      paragraphs: [
        `Hello ${name},`,
        'We have received your ticket and will reply within a few hours. You wrote:',
      ],
      facts: [['Subject', subject]],
    },
    de: {
      subject: `Ihr Ticket wurde angelegt: Nr. #${number}`,
      paragraphs: [
        `Guten Tag ${name},`,
        'Ihr Ticket ist angekommen, und wir antworten innerhalb weniger Stunden. Sie haben geschrieben:',
      ],
      facts: [['Betreff', subject]],
    },
    es: {
      subject: `Se ha creado su ticket: Ref. #${number}`,
      paragraphs: [
        `Hola, ${name}:`,
        'Hemos recibido su ticket y le responderemos en unas horas. Usted ha escrito:',
      ],
      facts: [['Asunto', subject]],
    },
  };
  return { to: accountEmail, language, quote: body, ...letters[language] };
}
