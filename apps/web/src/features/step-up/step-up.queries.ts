import { identityProvidersApi } from '@albedo/contract/identity-providers/identity-providers.api';
import type { ConfirmFactor } from '@albedo/contract/sessions/sessions.schema';
import { stepUpApi } from '@albedo/contract/step-up/step-up.api';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { call } from '../../app/call.ts';
import { renewSession } from '../../app/session.ts';

/** What the user can confirm with that it is them. */
export async function confirmFactors(): Promise<ConfirmFactor[]> {
  return (await call(stepUpApi.offer, {})).factors;
}

/** Errors: with a sentence when the password is wrong. */
export async function confirmByPassword(password: string): Promise<void> {
  renewSession((await call(stepUpApi.confirm, { body: { factor: 'password', password } })).token);
}

/** Errors: with a sentence when the code is wrong. */
export async function confirmByCode(key: string): Promise<void> {
  renewSession((await call(stepUpApi.confirm, { body: { factor: 'totp', key } })).token);
}

/** Errors: of the server, with a sentence, and of the browser (`passkeyProblem`). */
export async function confirmByPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const options = await call(stepUpApi.askPasskey, {});
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await startAuthentication({ optionsJSON });
  const body = { factor: 'passkey', response: response as never } as const;
  renewSession((await call(stepUpApi.confirm, { body })).token);
}

const RETURN_KEY = 'albedo.confirming';

/**
 * Leads the browser to the identity provider that opened the session, which asks anew who is there; this tab comes back
 * to where it is. Errors: of the server, with a sentence.
 */
export async function signInAgain(): Promise<void> {
  const { url } = await call(identityProvidersApi.askAgain, {});
  const { pathname, search, hash } = window.location;
  sessionStorage.setItem(RETURN_KEY, pathname + search + hash);
  window.location.assign(url);
}

/** Where this tab was before it went to confirm, once; null where it did not. */
export function takeReturn(): string | null {
  const address = sessionStorage.getItem(RETURN_KEY);
  sessionStorage.removeItem(RETURN_KEY);
  return address;
}

/** What the browser brought back from the provider. Errors: of the server, with a sentence. */
export async function confirmBySso(request: string): Promise<void> {
  renewSession((await call(identityProvidersApi.confirm, { body: { request } })).token);
}
