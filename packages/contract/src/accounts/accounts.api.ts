import { z } from 'zod';
import { anyone, signedIn } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { email, sessionToken } from '../sessions/sessions.schema.ts';
import {
  changedProfile,
  emailChange,
  emailCode,
  forgotRequest,
  passwordChange,
  profileChange,
  resetRequest,
  userProfile,
  withLinkToken,
} from './accounts.schema.ts';

export const accountsApi = {
  forgot: {
    method: 'POST',
    url: '/forgot',
    access: anyone,
    summary: 'Mails a link to set a new password, if the address has an account; the answer never tells.',
    example: { body: { email: 'ann@example.org' } },
    schema: { body: forgotRequest, response: { 200: z.object({}) } },
    ratePerMinute: 10,
  },
  reset: {
    method: 'PUT',
    url: '/forgot/:token',
    access: anyone,
    summary: 'Sets a new password with the token of the latest reset e-mail, once and within one hour.',
    example: { body: { password: 'a good long password' } },
    schema: { params: withLinkToken, body: resetRequest, response: { 200: z.object({}) } },
    ratePerMinute: 20,
  },
  changePassword: {
    method: 'PUT',
    url: '/me/password',
    access: { ...signedIn, fresh: true },
    summary: 'Changes the password of the user; all other sessions of the user end at once.',
    example: { body: { oldPassword: 'the old password', newPassword: 'a good long password' } },
    schema: { body: passwordChange, response: { 200: z.object({}) } },
    ratePerMinute: 20,
  },
  isAvailable: {
    method: 'GET',
    url: '/isavailable',
    access: anyone,
    summary: 'Succeeds when no account has the e-mail address, and fails with 409 otherwise.',
    example: { query: { email: 'ann@example.org' } },
    schema: { querystring: z.object({ email }), response: { 200: z.object({}) } },
    ratePerMinute: 20,
  },
  profile: {
    method: 'GET',
    url: '/me/profile',
    access: signedIn,
    summary: 'The account of the signed-in user.',
    schema: { response: { 200: userProfile } },
  },
  updateProfile: {
    method: 'PUT',
    url: '/me/profile',
    access: signedIn,
    evenBySso: true,
    summary:
      'Changes what is given of the account of the user; answers a token that says what is new, for the same session.',
    example: { body: { phone: '+49 30 123456' } },
    schema: { body: profileChange, response: { 200: changedProfile } },
  },
  changeEmail: {
    method: 'POST',
    url: '/me/email',
    access: { ...signedIn, fresh: true },
    summary: 'Mails a code of six digits to a new e-mail address of the user.',
    example: { body: { email: 'new.ann@example.org' } },
    schema: { body: emailChange, response: { 200: z.object({}) } },
    ratePerMinute: 10,
  },
  confirmEmail: {
    method: 'PUT',
    url: '/me/email',
    access: signedIn,
    summary:
      'Takes the new e-mail address over for its code; answers a new session token, other sessions end.',
    example: { body: { code: '000000' } },
    schema: { body: emailCode, response: { 200: sessionToken } },
    ratePerMinute: 20,
  },
  revertEmail: {
    method: 'PUT',
    url: '/email-revert/:token',
    access: anyone,
    summary:
      'Gives an account its old e-mail address back, for the link that was mailed there; its sessions and its password end.',
    schema: { params: withLinkToken, response: { 200: z.object({ email: z.string() }) } },
    ratePerMinute: 20,
  },
} as const satisfies Api;
