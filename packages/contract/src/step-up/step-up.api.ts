import { signedIn } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { passkeyOptions } from '../passkeys/passkeys.schema.ts';
import { sessionToken } from '../sessions/sessions.schema.ts';
import { confirmation, confirmOffer } from './step-up.schema.ts';

export const stepUpApi = {
  offer: {
    method: 'GET',
    url: '/me/confirm',
    access: signedIn,
    summary: 'What the user can confirm with that it is them.',
    schema: { response: { 200: confirmOffer } },
  },
  askPasskey: {
    method: 'POST',
    url: '/me/confirm/passkey',
    access: signedIn,
    summary: 'Asks for a passkey of the user, to confirm that it is them.',
    schema: { response: { 200: passkeyOptions } },
    ratePerMinute: 20,
  },
  confirm: {
    method: 'POST',
    url: '/me/confirm',
    access: signedIn,
    summary:
      'Confirms that it is the user; answers a token of the same session that is fresh for five minutes.',
    example: { body: { factor: 'password', password: 'a good long password' } },
    schema: { body: confirmation, response: { 200: sessionToken } },
    ratePerMinute: 20,
  },
} as const satisfies Api;
