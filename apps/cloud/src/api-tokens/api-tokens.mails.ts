import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Mail } from '../mail/mail.service.ts';
import type { ApiTokenRow } from './api-tokens.store.ts';

const DAY_MS = 86_400_000;

const timeText = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** How who was given a token is written to. */
export interface Reader {
  language: Language;
  /** Display name of the workgroup of the token. */
  workgroup: string;
  publicUrl: string;
}

/** Warns who was given a token that it ends soon. */
export function expiryMail(token: ApiTokenRow, { language, workgroup, publicUrl }: Reader, now: Date): Mail {
  const { owner, email, expiresAt, canRenew } = token;
  const days = Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS));
  const [isSoon, until, url] = [days === 1, timeText(expiresAt), `${publicUrl}/api/v1/token/renew`];
  const letters = {
    en: {
      subject: `Your API token for ${workgroup} expires ${isSoon ? 'within a day' : `in ${days} days`}`,
      paragraphs: [
        'Hello,',
        `The API token of ${owner} for the workgroup ${workgroup} expires on ${until}.`,
        canRenew
          ? `Until then it can renew itself: a GET request to ${url} with the token returns a new one that is valid for longer.`
          : 'It cannot be renewed. Ask an administrator of the workgroup for a new one.',
      ],
    },
    de: {
      subject: `Ihr API-Token für ${workgroup} läuft ${isSoon ? 'innerhalb eines Tages' : `in ${days} Tagen`} ab`,
      paragraphs: [
        'Guten Tag,',
        `das API-Token von ${owner} für die Arbeitsgruppe ${workgroup} läuft am ${until} ab.`,
        canRenew
          ? `Bis dahin kann es sich selbst erneuern: Ein GET auf ${url} mit dem Token liefert eines, das länger gilt.`
          : 'Es kann nicht erneuert werden. Bitten Sie eine Person, die die Arbeitsgruppe verwaltet, um ein neues.',
      ],
    },
    es: {
      subject: `Su token de API para ${workgroup} caduca ${isSoon ? 'en menos de un día' : `en ${days} días`}`,
      paragraphs: [
        'Hola:',
        `El token de API de ${owner} para el grupo de trabajo ${workgroup} caduca el ${until}.`,
        canRenew
          ? `Hasta entonces puede renovarse solo: un GET de ${url} con el token devuelve uno válido por más tiempo.`
          : 'No se puede renovar. Pida uno nuevo a un administrador del grupo de trabajo.',
      ],
    },
  };
  return { to: email, language, ...letters[language] };
}

/** Tells who was given a token that it ended before its time. */
export function revokedMail({ owner, email }: ApiTokenRow, { language, workgroup, publicUrl }: Reader): Mail {
  const letters = {
    en: {
      subject: `Your API token for ${workgroup} was revoked`,
      paragraphs: [
        'Hello,',
        `The API token of ${owner} for the workgroup ${workgroup} at ${publicUrl} was revoked because its creator can no longer grant its rights.`,
        'Ask an administrator of the workgroup for a new one.',
      ],
    },
    de: {
      subject: `Ihr API-Token für ${workgroup} gilt nicht mehr`,
      paragraphs: [
        'Guten Tag,',
        `das API-Token von ${owner} für die Arbeitsgruppe ${workgroup} auf ${publicUrl} wurde widerrufen, weil die Person, die es erstellt hat, seine Rechte nicht mehr vergeben darf.`,
        'Bitten Sie eine Person, die die Arbeitsgruppe verwaltet, um ein neues.',
      ],
    },
    es: {
      subject: `Su token de API para ${workgroup} ya no es válido`,
      paragraphs: [
        'Hola:',
        `El token de API de ${owner} para el grupo de trabajo ${workgroup} en ${publicUrl} se ha revocado, porque quien lo creó ya no puede conceder sus derechos.`,
        'Pida uno nuevo a un administrador del grupo de trabajo.',
      ],
    },
  };
  return { to: email, language, ...letters[language] };
}
