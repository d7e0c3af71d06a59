import { accountsApi } from '@albedo/contract/accounts/accounts.api';
import { call } from '../../app/call.ts';

/** Errors: 404 when the link is too old, was used, or is not the latest. */
export async function resetPassword(token: string, password: string): Promise<void> {
  await call(accountsApi.reset, { params: { token }, body: { password } });
}
