import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Letter, Mail } from '../mail/mail.service.ts';

interface Person {
  name: string;
  email: string;
}

/** A letter in each language; a text that is missing in one does not compile. */
type Letters = Record<Language, Omit<Letter, 'language'>>;

/** What happened to the second factor of an account. */
export type MfaChange = 'set up' | 'recovered';

/** Tells the user of a change of the second factor, so that nobody else makes it unnoticed. */
export function mfaMail(
  { name, email }: Person,
  language: Language,
  change: MfaChange,
  publicUrl: string,
): Mail {
  const letters = change === 'set up' ? setUp(name, publicUrl) : recovered(name, publicUrl);
  return { to: email, language, ...letters[language] };
}

const setUp = (name: string, publicUrl: string): Letters => ({
  en: {
    subject: 'An authenticator app was set up for your account',
    paragraphs: [`Hello ${name},`, 'An authenticator app is now a second factor for your account.'],
    note: `If this was not you, reset your password immediately: ${publicUrl}/login`,
  },
  de: {
    subject: 'Für Ihr Konto wurde eine Authenticator-App eingerichtet',
    paragraphs: [`Guten Tag ${name},`, 'eine Authenticator-App ist jetzt ein zweiter Faktor Ihres Kontos.'],
    note: `Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück: ${publicUrl}/login`,
  },
  es: {
    subject: 'Se ha configurado una aplicación de autenticación en su cuenta',
    paragraphs: [
      `Hola, ${name}:`,
      'Una aplicación de autenticación es ahora un segundo factor de su cuenta.',
    ],
    note: `Si no ha sido usted, restablezca su contraseña de inmediato: ${publicUrl}/login`,
  },
});

const recovered = (name: string, publicUrl: string): Letters => ({
  en: {
    subject: 'Your recovery code was used',
    paragraphs: [
      `Hello ${name},`,
      'The recovery code for your account was used. Its authenticator app and passkeys were removed, and all its sessions were ended.',
    ],
    note: `If this was not you, reset your password immediately: ${publicUrl}/login`,
  },
  de: {
    subject: 'Der Wiederherstellungscode Ihres Kontos wurde verwendet',
    paragraphs: [
      `Guten Tag ${name},`,
      'der Wiederherstellungscode Ihres Kontos wurde verwendet. Die Authenticator-App und die Passkeys wurden entfernt und alle Sitzungen beendet.',
    ],
    note: `Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück: ${publicUrl}/login`,
  },
  es: {
    subject: 'Se ha utilizado el código de recuperación de su cuenta',
    paragraphs: [
      `Hola, ${name}:`,
      'Se ha utilizado el código de recuperación de su cuenta. Se han eliminado su aplicación de autenticación y sus llaves de acceso, y se han cerrado todas sus sesiones.',
    ],
    note: `Si no ha sido usted, restablezca su contraseña de inmediato: ${publicUrl}/login`,
  },
});
