import type { Mail } from '../mail/mail.service.ts';
import type { ApiTokenRow } from './api-tokens.store.ts';

const DAY_MS = 86_400_000;

const timeText = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Warns who was given a token that it ends soon. */
export function expiryMail(token: ApiTokenRow, publicUrl: string, now: Date): Mail {
  const { owner, email, workgroup, expiresAt, canRenew } = token;
  const days = Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS));
  const inDays = days === 1 ? 'within a day' : `in ${days} days`;
  return {
    to: email,
    subject: `Your API token for ${workgroup} expires ${inDays}`,
    paragraphs: [
      'Hello,',
      `the API token of ${owner} for the workgroup ${workgroup} expires on ${timeText(expiresAt)}.`,
      canRenew
        ? `It can renew itself until then: a GET of ${publicUrl}/api/v1/token/renew with the token answers one that is good for longer.`
        : 'It cannot be renewed. Ask an administrator of the workgroup for a new one.',
    ],
  };
}

/** Tells who was given a token that it ended before its time. */
export function revokedMail({ owner, email, workgroup }: ApiTokenRow, publicUrl: string): Mail {
  return {
    to: email,
    subject: `Your API token for ${workgroup} has ended`,
    paragraphs: [
      'Hello,',
      `the API token of ${owner} for the workgroup ${workgroup} at ${publicUrl} was revoked, because who made it may not give its rights any more.`,
      'Ask an administrator of the workgroup for a new one.',
    ],
  };
}
