import type { Approval } from '@albedo/contract/approvals/approvals.schema';
import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Mail } from '../mail/mail.service.ts';

/** What the mail is about, and where it is decided. */
export interface Asked {
  approval: Approval;
  deviceName: string;
  /** Display name of the workgroup. */
  workgroup: string;
  publicUrl: string;
}

/** Asks somebody who may approve. What was typed as the reason stands in it as plain text. */
export function askedMail(to: string, language: Language, asked: Asked): Mail {
  const { approval, deviceName, workgroup, publicUrl } = asked;
  const { by, reason, deviceId, way, target } = approval;
  const link = `${publicUrl}/devices/${deviceId}`;
  const ends = `${new Date(approval.expiresAt).toISOString().slice(11, 16)} UTC`;
  const what = {
    en: { shell: 'a remote shell', tunnel: `a tunnel (${target})`, files: 'its folders' },
    de: { shell: 'ein Terminal', tunnel: `ein Tunnel (${target})`, files: 'seine Ordner' },
    es: { shell: 'un terminal', tunnel: `un túnel (${target})`, files: 'sus carpetas' },
  }[language][way];
  const letters = {
    en: {
      subject: `${by} asks for access to ${deviceName}`,
      paragraphs: [
        'Hello,',
        `${by} wants to reach into the device ${deviceName} of the workgroup ${workgroup}: ${what}.`,
        `Approve or refuse it by ${ends}. Approving asks you to confirm that it is you.`,
      ],
      button: 'Open the device',
    },
    de: {
      subject: `${by} bittet um Zugriff auf ${deviceName}`,
      paragraphs: [
        'Guten Tag,',
        `${by} möchte auf das Gerät ${deviceName} der Arbeitsgruppe ${workgroup} zugreifen: ${what}.`,
        `Stimmen Sie bis ${ends} zu oder lehnen Sie ab. Beim Zustimmen bestätigen Sie, dass Sie es sind.`,
      ],
      button: 'Gerät öffnen',
    },
    es: {
      subject: `${by} pide acceso a ${deviceName}`,
      paragraphs: [
        'Hola:',
        `${by} quiere acceder al dispositivo ${deviceName} del grupo de trabajo ${workgroup}: ${what}.`,
        `Apruébelo o rechácelo antes de las ${ends}. Al aprobarlo confirma que es usted.`,
      ],
      button: 'Abrir el dispositivo',
    },
  };
  const { button, ...letter } = letters[language];
  return { to, language, ...letter, quote: reason, action: { text: button, url: link } };
}
