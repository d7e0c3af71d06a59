import type { Mail } from '../mail/mail.service.ts';
import type { InviteRow } from './invites.store.ts';

const untilText = ({ expiresAt }: InviteRow): string =>
  `This link works once, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;

export const inviteMail = (invite: InviteRow, displayName: string, url: string): Mail => ({
  to: invite.email,
  subject: `You are invited to ${displayName}`,
  paragraphs: ['Hello,', `${invite.invitedBy} invites you to join the workgroup ${displayName}.`],
  action: { text: 'Accept invitation', url },
  note: `${untilText(invite)} If you do not know why you got it, ignore this e-mail.`,
});

export const activationMail = (invite: InviteRow, displayName: string, url: string): Mail => ({
  to: invite.email,
  subject: `Your workgroup ${displayName} is ready`,
  paragraphs: [
    `Hello ${invite.name},`,
    `the workgroup ${displayName} that you asked for is ready. Activate your account to begin.`,
  ],
  action: { text: 'Activate account', url },
  note: untilText(invite),
});
