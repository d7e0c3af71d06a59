import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Mail } from '../mail/mail.service.ts';

/** A webhook fails, or was turned off. */
export function webhookMail(
  of: { name: string; error: string; kind: 'failing' | 'off' | 'gone' },
  reader: { to: string; language: Language; workgroup: string; publicUrl: string },
): Mail {
  const words = WORDS[reader.language];
  const text = words[of.kind](of.name, reader.workgroup);
  return {
    to: reader.to,
    language: reader.language,
    subject: text,
    paragraphs: [text, `${words.last}: ${of.error}`],
    action: { text: words.open, url: `${reader.publicUrl}/admin/workgroup/webhooks` },
  };
}

const WORDS = {
  en: {
    failing: (name: string, workgroup: string) => `The webhook ${name} of ${workgroup} has failed for a day`,
    off: (name: string, workgroup: string) =>
      `The webhook ${name} of ${workgroup} was turned off: it failed for five days`,
    gone: (name: string, workgroup: string) =>
      `The webhook ${name} of ${workgroup} was turned off: it says that it is gone`,
    last: 'Last error',
    open: 'Open the webhooks',
  },
  de: {
    failing: (name: string, workgroup: string) =>
      `Der Webhook ${name} von ${workgroup} schlägt seit einem Tag fehl`,
    off: (name: string, workgroup: string) =>
      `Der Webhook ${name} von ${workgroup} wurde abgeschaltet: Er schlug fünf Tage lang fehl`,
    gone: (name: string, workgroup: string) =>
      `Der Webhook ${name} von ${workgroup} wurde abgeschaltet: Es gibt ihn dort nicht mehr`,
    last: 'Letzter Fehler',
    open: 'Webhooks öffnen',
  },
  es: {
    failing: (name: string, workgroup: string) =>
      `El webhook ${name} de ${workgroup} falla desde hace un día`,
    off: (name: string, workgroup: string) =>
      `El webhook ${name} de ${workgroup} se ha desactivado: falló durante cinco días`,
    gone: (name: string, workgroup: string) =>
      `El webhook ${name} de ${workgroup} se ha desactivado: ya no existe`,
    last: 'Último error',
    open: 'Abrir los webhooks',
  },
} satisfies Record<Language, unknown>;
