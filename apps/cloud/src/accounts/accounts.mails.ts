import type { Mail } from '../mail/mail.service.ts';

interface Person {
  name: string;
  email: string;
}

export const resetMail = ({ name, email }: Person, url: string): Mail => ({
  to: email,
  subject: 'Reset your password',
  paragraphs: [`Hello ${name},`, 'someone, probably you, asked to reset the password of your account.'],
  action: { text: 'Reset password', url },
  note: 'This link is valid for one hour and works once; only the latest reset e-mail works. If it was not you, ignore this e-mail: your password stays as it is.',
});

export const singleSignOnMail = ({ name, email }: Person, publicUrl: string): Mail => ({
  to: email,
  subject: 'Your account has no password',
  paragraphs: [
    `Hello ${name},`,
    'someone, probably you, asked to reset the password of your account. It has none: it signs in with the single sign-on of your organisation.',
  ],
  action: { text: 'Continue with SAML SSO', url: `${publicUrl}/login/sso` },
});

export const passwordChangedMail = ({ name, email }: Person, publicUrl: string): Mail => ({
  to: email,
  subject: 'Your password was changed',
  paragraphs: [
    `Hello ${name},`,
    'the password of your account was changed, and your other sessions were ended.',
  ],
  note: `If it was not you, reset your password at once: ${publicUrl}/login`,
});

export const emailCodeMail = ({ name, email }: Person, code: string): Mail => ({
  to: email,
  subject: 'Confirm your e-mail address',
  paragraphs: [`Hello ${name},`, `your code is ${code}. Enter it where you asked for the change.`],
  note: 'The code is valid for 30 minutes. If it was not you, ignore this e-mail.',
});

export const addressTakenMail = (email: string): Mail => ({
  to: email,
  subject: 'This address already has an account',
  paragraphs: [
    'Hello,',
    'someone, perhaps you, asked to use this address for another account. It has an account already, so nothing was changed.',
  ],
});

export const emailChangedMail = ({ name, email }: Person, newEmail: string): Mail => ({
  to: email,
  subject: 'Your e-mail address was changed',
  paragraphs: [
    `Hello ${name},`,
    `your account now has the address ${newEmail}. This one no longer signs in.`,
  ],
  note: 'If it was not you, tell the administrator of your workgroup at once.',
});
