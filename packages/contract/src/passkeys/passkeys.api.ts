import { z } from 'zod';
import { oneTimeCode, signedIn } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { newRecoveryCode } from '../mfa/mfa.schema.ts';
import { sessionToken } from '../sessions/sessions.schema.ts';
import {
  onPasskey,
  passkey,
  passkeyAdded,
  passkeyAnswer,
  passkeyBegin,
  passkeyName,
  passkeyOptions,
  passkeyRegistration,
} from './passkeys.schema.ts';

export const passkeysApi = {
  list: {
    method: 'GET',
    url: '/me/passkeys',
    access: signedIn,
    summary: 'The passkeys of the signed-in user, oldest first.',
    schema: { response: { 200: z.array(passkey) } },
  },
  begin: {
    method: 'POST',
    url: '/me/passkeys/begin',
    access: signedIn,
    summary: 'Asks for a new passkey, for the password of the user; the question is good for five minutes.',
    example: { body: { password: 'a good long password' } },
    schema: { body: passkeyBegin, response: { 200: passkeyOptions } },
    ratePerMinute: 20,
  },
  add: {
    method: 'POST',
    url: '/me/passkeys',
    access: signedIn,
    summary:
      'Takes a new passkey up; the first second factor of an account comes with a recovery code, once.',
    example: {
      body: {
        name: 'Phone',
        response: {
          id: 'AA',
          rawId: 'AA',
          type: 'public-key',
          clientExtensionResults: {},
          response: { clientDataJSON: 'AA', attestationObject: 'AA' },
        },
      },
    },
    schema: { body: passkeyRegistration, response: { 200: passkeyAdded } },
    ratePerMinute: 20,
  },
  rename: {
    method: 'PUT',
    url: '/me/passkeys/:passkey',
    access: signedIn,
    summary: 'Gives a passkey another name.',
    example: { body: { name: 'Phone' } },
    schema: { params: onPasskey, body: z.object({ name: passkeyName }), response: { 200: passkey } },
  },
  remove: {
    method: 'DELETE',
    url: '/me/passkeys/:passkey',
    access: { ...signedIn, fresh: true },
    summary: 'Forgets a passkey, unless it is the last second factor of an account that must have one.',
    schema: { params: onPasskey, response: { 200: z.object({}) } },
  },
  beginRecoveryCode: {
    method: 'POST',
    url: '/me/passkeys/recovery-code',
    access: signedIn,
    summary: 'Asks for a passkey of the user, to make a new recovery code.',
    schema: { response: { 200: passkeyOptions } },
    ratePerMinute: 20,
  },
  renewRecoveryCode: {
    method: 'PUT',
    url: '/me/passkeys/recovery-code',
    access: signedIn,
    summary: 'Makes a new recovery code, for the answer of a passkey; the old one ends.',
    example: {
      body: {
        response: {
          id: 'AA',
          rawId: 'AA',
          type: 'public-key',
          clientExtensionResults: {},
          response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
        },
      },
    },
    schema: { body: passkeyAnswer, response: { 200: newRecoveryCode } },
    ratePerMinute: 20,
  },
  beginSignIn: {
    method: 'POST',
    url: '/auth/local/passkey/begin',
    access: oneTimeCode,
    summary: 'Asks for a passkey of the user in place of a one-time code.',
    schema: { response: { 200: passkeyOptions } },
    ratePerMinute: 30,
  },
  signIn: {
    method: 'POST',
    url: '/auth/local/passkey',
    access: oneTimeCode,
    summary: 'Completes a sign-in with the answer of a passkey and answers a session token.',
    example: {
      body: {
        response: {
          id: 'AA',
          rawId: 'AA',
          type: 'public-key',
          clientExtensionResults: {},
          response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
        },
      },
    },
    schema: { body: passkeyAnswer, response: { 200: sessionToken } },
    ratePerMinute: 30,
  },
} as const satisfies Api;
