import { passkeysApi } from '@albedo/contract/passkeys/passkeys.api';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import type { TFunction } from 'i18next';
import { call } from '../../app/call.ts';
import { messageOf } from '../../app/message-of.ts';

/**
 * Completes a sign-in with a passkey; answers the granted token. Errors: of the server, and of the browser
 * (`passkeyProblem`).
 */
export async function answerWithPasskey(): Promise<{ token: string }> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const options = await call(passkeysApi.beginSignIn, {});
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await startAuthentication({ optionsJSON });
  return call(passkeysApi.signIn, { body: { response: response as never } });
}

/** What browsers call it, and what it means to people. */
const PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError: 'passkeys.problems.cancelled',
  AbortError: 'passkeys.problems.cancelled',
  InvalidStateError: 'passkeys.problems.known',
  SecurityError: 'passkeys.problems.wrongHost',
  NotSupportedError: 'passkeys.problems.unsupported',
};

/** What went wrong, in a sentence: in ours for what the browser refused, in the server's for the rest. */
export function passkeyProblem(t: TFunction, error: unknown): string {
  if (!window.PublicKeyCredential) return t('passkeys.problems.unsupported');
  const key = error instanceof Error ? PROBLEMS[error.name] : undefined;
  return key ? t(key) : messageOf(error);
}
