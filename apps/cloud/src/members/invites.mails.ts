import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Mail } from '../mail/mail.service.ts';
import type { InviteRow } from './invites.store.ts';

const untilText = ({ expiresAt }: InviteRow): string =>
  `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export function inviteMail(invite: InviteRow, displayName: string, language: Language, url: string): Mail {
  const [by, until] = [invite.invitedBy, untilText(invite)];
  const letters = {
    en: {
      subject: `You have been invited to ${displayName}`,
      paragraphs: ['Hello,', `${by} has invited you to join the workgroup ${displayName}.`],
      action: { text: 'Accept invite', url },
      note: `This link works once, until ${until}. If you were not expecting it, ignore this email.`,
    },
    de: {
      subject: `Sie sind zu ${displayName} eingeladen`,
      paragraphs: ['Guten Tag,', `${by} lädt Sie in die Arbeitsgruppe ${displayName} ein.`],
      action: { text: 'Einladung annehmen', url },
      note: `Dieser Link funktioniert einmal, bis ${until}. Wenn Sie nicht wissen, warum Sie ihn bekommen, ignorieren Sie diese E-Mail.`,
    },
    es: {
      subject: `Tiene una invitación a ${displayName}`,
      paragraphs: ['Hola:', `${by} le invita a unirse al grupo de trabajo ${displayName}.`],
      action: { text: 'Aceptar la invitación', url },
      note: `Este enlace funciona una sola vez, hasta el ${until}. Si no sabe por qué lo ha recibido, ignore este correo.`,
    },
  };
  return { to: invite.email, language, ...letters[language] };
}

export function activationMail(
  invite: InviteRow,
  displayName: string,
  language: Language,
  url: string,
): Mail {
  const until = untilText(invite);
  const letters = {
    en: {
      subject: `Your workgroup ${displayName} is ready`,
      paragraphs: [
        `Hello${invite.name && ` ${invite.name}`},`,
        `The workgroup ${displayName} that you requested is ready. Activate your account to get started.`,
      ],
      action: { text: 'Activate account', url },
      note: `This link works once, until ${until}.`,
    },
    de: {
      subject: `Ihre Arbeitsgruppe ${displayName} ist bereit`,
      paragraphs: [
        `Guten Tag${invite.name && ` ${invite.name}`},`,
        `die Arbeitsgruppe ${displayName}, um die Sie gebeten haben, ist bereit. Aktivieren Sie Ihr Konto, um zu beginnen.`,
      ],
      action: { text: 'Konto aktivieren', url },
      note: `Dieser Link funktioniert einmal, bis ${until}.`,
    },
    es: {
      subject: `Su grupo de trabajo ${displayName} está listo`,
      paragraphs: [
        `Hola${invite.name && `, ${invite.name}`}:`,
        `El grupo de trabajo ${displayName} que ha solicitado está listo. Active su cuenta para empezar.`,
      ],
      action: { text: 'Activar la cuenta', url },
      note: `Este enlace funciona una sola vez, hasta el ${until}.`,
    },
  };
  return { to: invite.email, language, ...letters[language] };
}
