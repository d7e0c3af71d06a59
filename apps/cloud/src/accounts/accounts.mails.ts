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
