import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Letter, Mail } from '../mail/mail.service.ts';

interface Person {
  name: string;
  email: string;
}

/** A letter in each language; a text that is missing in one does not compile. */
type Letters = Record<Language, Omit<Letter, 'language'>>;

const mailTo = (to: string, language: Language, letters: Letters): Mail => ({
  to,
  language,
  ...letters[language],
});

export const resetMail = ({ name, email }: Person, language: Language, url: string): Mail =>
  mailTo(email, language, {
    en: {
      subject: 'Reset your password',
      paragraphs: [`Hello ${name},`, 'Someone, probably you, asked to reset the password for your account.'],
      action: { text: 'Reset password', url },
      note: 'This link is valid for one hour and works once. Only the latest reset email works. If this was not you, ignore this email: your password stays the same.',
    },
    de: {
      subject: 'Setzen Sie Ihr Passwort zurück',
      paragraphs: [
        `Guten Tag ${name},`,
        'jemand, wahrscheinlich Sie, möchte das Passwort Ihres Kontos zurücksetzen.',
      ],
      action: { text: 'Passwort zurücksetzen', url },
      note: 'Dieser Link gilt eine Stunde lang und nur einmal; nur der neueste dieser Links funktioniert. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.',
    },
    es: {
      subject: 'Restablezca su contraseña',
      paragraphs: [
        `Hola, ${name}:`,
        'Alguien, probablemente usted, ha pedido restablecer la contraseña de su cuenta.',
      ],
      action: { text: 'Restablecer la contraseña', url },
      note: 'Este enlace es válido durante una hora y solo una vez; solo funciona el del último correo. Si no ha sido usted, ignore este correo: su contraseña no cambia.',
    },
  });

export const singleSignOnMail = ({ name, email }: Person, language: Language, publicUrl: string): Mail => {
  const url = `${publicUrl}/login/sso`;
  return mailTo(email, language, {
    en: {
      subject: 'Sign in with single sign-on',
      paragraphs: [
        `Hello ${name},`,
        'Someone, probably you, asked to reset the password for your account. You do not need one: you sign in to your workgroups with your organisation’s single sign-on.',
      ],
      action: { text: 'Continue with SAML SSO', url },
    },
    de: {
      subject: 'Melden Sie sich mit Single Sign-on an',
      paragraphs: [
        `Guten Tag ${name},`,
        'jemand, wahrscheinlich Sie, möchte das Passwort Ihres Kontos zurücksetzen. Sie brauchen keines: Ihre Arbeitsgruppen öffnet das Single Sign-on Ihrer Organisation.',
      ],
      action: { text: 'Weiter mit SAML SSO', url },
    },
    es: {
      subject: 'Acceda con el inicio de sesión único',
      paragraphs: [
        `Hola, ${name}:`,
        'Alguien, probablemente usted, ha pedido restablecer la contraseña de su cuenta. No la necesita: a sus grupos de trabajo se accede con el inicio de sesión único de su organización.',
      ],
      action: { text: 'Continuar con SAML SSO', url },
    },
  });
};

export const passwordChangedMail = ({ name, email }: Person, language: Language, publicUrl: string): Mail => {
  const url = `${publicUrl}/login`;
  return mailTo(email, language, {
    en: {
      subject: 'Your password was changed',
      paragraphs: [
        `Hello ${name},`,
        'The password for your account was changed, and your other sessions were ended.',
      ],
      note: `If this was not you, reset your password immediately: ${url}`,
    },
    de: {
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: [
        `Guten Tag ${name},`,
        'das Passwort Ihres Kontos wurde geändert, und Ihre anderen Sitzungen wurden beendet.',
      ],
      note: `Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück: ${url}`,
    },
    es: {
      subject: 'Se ha cambiado su contraseña',
      paragraphs: [
        `Hola, ${name}:`,
        'Se ha cambiado la contraseña de su cuenta y se han cerrado sus demás sesiones.',
      ],
      note: `Si no ha sido usted, restablezca su contraseña de inmediato: ${url}`,
    },
  });
};

export const emailCodeMail = ({ name, email }: Person, language: Language, code: string): Mail =>
  mailTo(email, language, {
    en: {
      subject: 'Confirm your email address',
      paragraphs: [`Hello ${name},`, `Your code is ${code}. Enter it where you requested the change.`],
      highlight: code,
      note: 'The code is valid for 10 minutes. If this was not you, ignore this email.',
    },
    de: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      paragraphs: [
        `Guten Tag ${name},`,
        `Ihr Code lautet ${code}. Geben Sie ihn dort ein, wo Sie die Änderung begonnen haben.`,
      ],
      highlight: code,
      note: 'Der Code gilt 10 Minuten lang. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
    },
    es: {
      subject: 'Confirme su dirección de correo electrónico',
      paragraphs: [`Hola, ${name}:`, `Su código es ${code}. Introdúzcalo donde ha pedido el cambio.`],
      highlight: code,
      note: 'El código es válido durante 10 minutos. Si no ha sido usted, ignore este correo.',
    },
  });

export const addressTakenMail = (email: string, language: Language): Mail =>
  mailTo(email, language, {
    en: {
      subject: 'This address already has an account',
      paragraphs: [
        'Hello,',
        'Someone, perhaps you, asked to use this address for another account. It already has an account, so nothing was changed.',
      ],
    },
    de: {
      subject: 'Diese Adresse hat bereits ein Konto',
      paragraphs: [
        'Guten Tag,',
        'jemand, vielleicht Sie, möchte diese Adresse für ein anderes Konto verwenden. Sie hat bereits ein Konto, deshalb wurde nichts geändert.',
      ],
    },
    es: {
      subject: 'Esta dirección ya tiene una cuenta',
      paragraphs: [
        'Hola:',
        'Alguien, quizá usted, ha pedido usar esta dirección para otra cuenta. Ya tiene una cuenta, así que no se ha cambiado nada.',
      ],
    },
  });

export const emailChangedMail = (
  { name, email }: Person,
  language: Language,
  newEmail: string,
  revertUrl: string,
): Mail =>
  mailTo(email, language, {
    en: {
      subject: 'Your email address was changed',
      paragraphs: [
        `Hello ${name},`,
        `Your account now uses the address ${newEmail}. You can no longer sign in with this one.`,
      ],
      action: { text: 'Undo the change', url: revertUrl },
      note: 'If this was not you, undo the change: your account gets this address back, and all its sessions and its password end. The link is valid for seven days.',
    },
    de: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      paragraphs: [
        `Guten Tag ${name},`,
        `Ihr Konto hat jetzt die Adresse ${newEmail}. Mit dieser hier können Sie sich nicht mehr anmelden.`,
      ],
      action: { text: 'Änderung zurücknehmen', url: revertUrl },
      note: 'Wenn Sie das nicht waren, nehmen Sie die Änderung zurück: Ihr Konto bekommt wieder diese Adresse, alle seine Sitzungen enden, und das Passwort gilt nicht mehr. Der Link gilt sieben Tage.',
    },
    es: {
      subject: 'Se ha cambiado su dirección de correo electrónico',
      paragraphs: [
        `Hola, ${name}:`,
        `Su cuenta tiene ahora la dirección ${newEmail}. Con esta ya no se puede iniciar sesión.`,
      ],
      action: { text: 'Deshacer el cambio', url: revertUrl },
      note: 'Si no ha sido usted, deshaga el cambio: su cuenta recupera esta dirección y terminan todas sus sesiones y su contraseña. El enlace es válido durante siete días.',
    },
  });
