import { mfaApi } from '@albedo/contract/mfa/mfa.api';
import { call } from '../../app/call.ts';

/** A new secret as an `otpauth:` address; `code` of the old authenticator is needed where there is one. */
export async function beginSetup(code: string | null): Promise<string> {
  const { uri } = await call(mfaApi.beginSetup, { body: code === null ? {} : { key: code } });
  return uri;
}

export const confirmSetup = (code: string) => call(mfaApi.confirmSetup, { body: { key: code } });

export async function renewRecoveryCode(code: string): Promise<string> {
  const { recoveryCode } = await call(mfaApi.renewRecoveryCode, { body: { key: code } });
  return recoveryCode;
}
