import { accountsApi } from '@albedo/contract/accounts/accounts.api';
import { membersApi } from '@albedo/contract/members/members.api';
import type { Invitation, Registration } from '@albedo/contract/members/members.schema';
import { call } from '../../app/call.ts';

/** Errors: 404 when the link is too old, was used, or is not the latest. */
export async function resetPassword(token: string, password: string): Promise<void> {
  await call(accountsApi.reset, { params: { token }, body: { password } });
}

/** A link in an e-mail that leads to an account. */
export type AccountLink =
  | { kind: 'invitation'; orgName: string; token: string }
  | { kind: 'activation'; token: string };

/** Errors: with a sentence for people when the link leads nowhere. */
export function readLink(link: AccountLink, signal: AbortSignal): Promise<Invitation> {
  if (link.kind === 'activation')
    return call(membersApi.activation, { params: { token: link.token } }, signal);
  const { orgName, token } = link;
  return call(membersApi.invitation, { params: { orgName, token } }, signal);
}

/** Joins the workgroup of the link, with a new account when name and password are given. */
export async function acceptLink(
  link: AccountLink,
  account: Pick<Registration, 'name' | 'password'>,
): Promise<void> {
  if (link.kind === 'activation')
    await call(membersApi.activate, { params: { token: link.token }, body: account });
  else await call(membersApi.register, { body: { orgName: link.orgName, token: link.token, ...account } });
}

/** Gives the account of the link its old address back, and answers it. Errors: 404 when the link is too old. */
export async function revertEmail(token: string): Promise<string> {
  return (await call(accountsApi.revertEmail, { params: { token } })).email;
}
