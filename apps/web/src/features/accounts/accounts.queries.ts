import { accountsApi } from '@albedo/contract/accounts/accounts.api';
import type { ProfileChange } from '@albedo/contract/accounts/accounts.schema';
import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { renewSession, signOut } from '../../app/session.ts';

/** The account of the signed-in user. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => call(accountsApi.profile, {}, signal),
});

export const versionQuery = queryOptions({
  queryKey: ['version'],
  queryFn: ({ signal }) => call(sessionsApi.version, {}, signal),
});

/** Changes what is given; a new name stands in the top bar at once. */
export async function saveProfile(change: ProfileChange): Promise<void> {
  const { token, ...profile } = await call(accountsApi.updateProfile, { body: change });
  queryClient.setQueryData(profileQuery.queryKey, profile);
  renewSession(token);
}

/** Mails a code of six digits to the new address. Errors: 429 after five of them in a quarter of an hour. */
export async function requestEmail(email: string): Promise<void> {
  await call(accountsApi.changeEmail, { body: { email } });
}

/** Takes the new address over; other sessions of the user end. Errors: with a sentence for a wrong or old code. */
export async function confirmEmail(code: string): Promise<void> {
  const { token } = await call(accountsApi.confirmEmail, { body: { code } });
  renewSession(token);
  await queryClient.invalidateQueries(profileQuery);
}

/** Errors: 400 with a sentence when the old password is not right. Other sessions of the user end. */
export async function changePassword(oldPassword: string, newPassword: string): Promise<void> {
  await call(accountsApi.changePassword, { body: { oldPassword, newPassword } });
}

/** Ends every session of the user, also this one. */
export async function signOutEverywhere(): Promise<void> {
  await call(sessionsApi.logoutEverywhere, {});
  signOut('asked');
}

/** The sessions of the person, the latest used first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call(sessionsApi.sessions, {}, signal),
});

/** Ends one session. */
export async function endSession(session: string): Promise<void> {
  await call(sessionsApi.endSession, { params: { session } });
  await queryClient.invalidateQueries(sessionsQuery);
}
