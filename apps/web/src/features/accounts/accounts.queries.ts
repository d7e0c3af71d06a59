import { accountsApi } from '@albedo/contract/accounts/accounts.api';
import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { signOut } from '../../app/session.ts';

/** The account of the signed-in user. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => call(accountsApi.profile, {}, signal),
});

/** Errors: 400 with a sentence when the old password is not right. Other sessions of the user end. */
export async function changePassword(oldPassword: string, newPassword: string): Promise<void> {
  await call(accountsApi.changePassword, { body: { oldPassword, newPassword } });
}

/** Ends every session of the user, also this one. */
export async function signOutEverywhere(): Promise<void> {
  await call(sessionsApi.logoutEverywhere, {});
  signOut('asked');
}
