import { passkeysApi } from '@albedo/contract/passkeys/passkeys.api';
import type { Passkey } from '@albedo/contract/passkeys/passkeys.schema';
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

/** The passkeys of the signed-in user, oldest first. */
export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => call(passkeysApi.list, {}, signal),
});

const renew = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });

/**
 * Makes a passkey with whatever authenticator the user takes. Answers the recovery code where it is the first second
 * factor of the account. Errors: of the server, with a sentence, and of the browser (`passkeyProblem`).
 */
export async function addPasskey(name: string, password: string): Promise<string | null> {
  const options = await call(passkeysApi.begin, { body: { password } });
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = await startRegistration({ optionsJSON });
  const { recoveryCode } = await call(passkeysApi.add, { body: { name, response: response as never } });
  await renew();
  return recoveryCode;
}

export async function renamePasskey({ _id }: Passkey, name: string): Promise<void> {
  await call(passkeysApi.rename, { params: { passkey: _id }, body: { name } });
  await renew();
}

/** Errors: 409 with a sentence when it is the last second factor of an account that must have one. */
export async function removePasskey({ _id }: Passkey): Promise<void> {
  await call(passkeysApi.remove, { params: { passkey: _id } });
  await renew();
}

/** A new recovery code, for a passkey of the user. Errors: as `addPasskey`. */
export async function renewRecoveryCodeByPasskey(): Promise<string> {
  const options = await call(passkeysApi.beginRecoveryCode, {});
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await startAuthentication({ optionsJSON });
  const { recoveryCode } = await call(passkeysApi.renewRecoveryCode, {
    body: { response: response as never },
  });
  return recoveryCode;
}

/**
 * Completes a sign-in with a passkey; answers the granted token. Errors: of the server, and of the browser
 * (`passkeyProblem`).
 */
export async function answerWithPasskey(): Promise<{ token: string }> {
  const options = await call(passkeysApi.beginSignIn, {});
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await startAuthentication({ optionsJSON });
  return call(passkeysApi.signIn, { body: { response: response as never } });
}
