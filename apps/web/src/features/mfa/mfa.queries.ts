import { mfaApi } from '@albedo/contract/mfa/mfa.api';
import { ApiError, call } from '../../app/call.ts';
import { knownFailureText } from '../../app/i18n.ts';

/** A new secret as an `otpauth:` address; `code` of the old authenticator is needed where there is one. */
export async function beginSetup(code: string | null): Promise<string> {
  const { uri } = await call(mfaApi.beginSetup, { body: code === null ? {} : { key: code } }).catch(
    wrongCode,
  );
  return uri;
}

export const confirmSetup = (code: string) =>
  call(mfaApi.confirmSetup, { body: { key: code } }).catch(wrongCode);

export async function renewRecoveryCode(code: string): Promise<string> {
  const { recoveryCode } = await call(mfaApi.renewRecoveryCode, { body: { key: code } }).catch(
    noRecoveryCode,
  );
  return recoveryCode;
}

const wrongCode = told('mfa.code_invalid', 'Invalid authenticator code');
const noRecoveryCode = told(
  'mfa.recovery_code_failed',
  'Could not generate recovery code. Please enter a valid code.',
);

/** Six characters that cannot be a code count as a wrong code, though the server calls the request invalid. */
function told(name: string, words: string) {
  return (error: unknown): never => {
    if (!(error instanceof ApiError && error.error === 'request.invalid')) throw error;
    throw new ApiError(error.code, knownFailureText(name, words), name);
  };
}
