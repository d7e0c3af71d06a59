import type { Mail } from '../mail/mail.service.ts';
import type { Ticket } from './support.store.ts';

/** To who answers tickets. */
export const ticketMail = (to: string, ticket: Ticket, publicUrl: string): Mail => ({
  to,
  subject: `Ticket #${ticket.number}: ${ticket.subject}`,
  paragraphs: [
    `${ticket.name} <${ticket.email}> asks for help${ticket.workgroup ? `, workgroup ${ticket.workgroup}` : ''}.`,
    ...(ticket.email === ticket.accountEmail ? [] : [`Written with the account ${ticket.accountEmail}.`]),
    ...(ticket.url ? [`Written at ${ticket.url}`] : []),
    ...paragraphsOf(ticket.body),
    ...(ticket.files.length > 0
      ? [
          `Attached: ${ticket.files.map(({ name, size }) => `${name} (${Math.ceil(size / 1000)} kB)`).join(', ')}`,
        ]
      : []),
  ],
  action: { text: 'Open the tickets', url: `${publicUrl}/opsteam?tab=tickets` },
});

/** To who wrote it. */
export const ticketCopyMail = (ticket: Ticket): Mail => ({
  to: ticket.accountEmail,
  subject: `Your ticket has been created: Ref #${ticket.number}`,
  paragraphs: [
    `Hello ${ticket.name},`,
    'we have received your ticket and answer within a few hours. You wrote:',
    ticket.subject,
    ...paragraphsOf(ticket.body),
  ],
});

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\r?\n+/)
    .map((one) => one.trim())
    .filter(Boolean);
