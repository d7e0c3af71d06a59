import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Letter, Mail } from '../mail/mail.service.ts';

interface Person {
  name: string;
  email: string;
}

/** A letter in each language; a text that is missing in one does not compile. */
type Letters = Record<Language, Omit<Letter, 'language'>>;

/** Tells the user of a change of what signs in to the account. */
export function passkeyMail(
  { name, email }: Person,
  language: Language,
  of: { passkey: string; isAdded: boolean },
  publicUrl: string,
): Mail {
  return { to: email, language, ...(of.isAdded ? added : removed)(name, of.passkey, publicUrl)[language] };
}

const added = (name: string, passkey: string, publicUrl: string): Letters => ({
  en: {
    subject: 'A passkey was added to your account',
    paragraphs: [`Hello ${name},`, `The passkey “${passkey}” is now a second factor for your account.`],
    note: `If this was not you, reset your password immediately: ${publicUrl}/login`,
  },
  de: {
    subject: 'Ihrem Konto wurde ein Passkey hinzugefügt',
    paragraphs: [`Guten Tag ${name},`, `der Passkey „${passkey}“ ist jetzt ein zweiter Faktor Ihres Kontos.`],
    note: `Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück: ${publicUrl}/login`,
  },
  es: {
    subject: 'Se ha añadido una llave de acceso a su cuenta',
    paragraphs: [
      `Hola, ${name}:`,
      `La llave de acceso «${passkey}» es ahora un segundo factor de su cuenta.`,
    ],
    note: `Si no ha sido usted, restablezca su contraseña de inmediato: ${publicUrl}/login`,
  },
});

const removed = (name: string, passkey: string, publicUrl: string): Letters => ({
  en: {
    subject: 'A passkey was removed from your account',
    paragraphs: [
      `Hello ${name},`,
      `The passkey “${passkey}” can no longer be used to sign in to your account.`,
    ],
    note: `If this was not you, reset your password immediately: ${publicUrl}/login`,
  },
  de: {
    subject: 'Ein Passkey wurde aus Ihrem Konto entfernt',
    paragraphs: [`Guten Tag ${name},`, `der Passkey „${passkey}“ meldet nicht mehr an Ihrem Konto an.`],
    note: `Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück: ${publicUrl}/login`,
  },
  es: {
    subject: 'Se ha eliminado una llave de acceso de su cuenta',
    paragraphs: [`Hola, ${name}:`, `La llave de acceso «${passkey}» ya no da acceso a su cuenta.`],
    note: `Si no ha sido usted, restablezca su contraseña de inmediato: ${publicUrl}/login`,
  },
});
