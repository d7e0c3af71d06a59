import { accountsApi } from '@albedo/contract/accounts/accounts.api';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { identityProvidersApi } from '@albedo/contract/identity-providers/identity-providers.api';
import type { ProviderName, SsoFound } from '@albedo/contract/identity-providers/identity-providers.schema';
import { mfaApi } from '@albedo/contract/mfa/mfa.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import type { TokenKind } from '../../app/session.ts';
import { granted } from './sessions.queries.ts';

/** Completes a sign-in with the code of the authenticator app. */
export async function enterCode(key: string): Promise<TokenKind> {
  return granted(await call(mfaApi.enterCode, { body: { key } }));
}

/** Uses up the recovery code; from then on two-factor authentication has to be set up again. */
export async function recoverMfa(key: string): Promise<TokenKind> {
  return granted(await call(mfaApi.recover, { body: { key } }));
}

/** The identity providers of an address. Errors: with the server's words where there is none. */
export function findProviders(email: string): Promise<SsoFound> {
  return call(identityProvidersApi.lookup, { body: { email } });
}

/** The name of the identity provider that another site led here for. */
export const providerNameQuery = (id: string) =>
  queryOptions({
    queryKey: ['identity-provider-name', id],
    queryFn: ({ signal }) => call(identityProvidersApi.named, { query: { id } }, signal),
    retry: false,
  });

/** From now on this browser may begin a sign-in with it. */
export function agreeToProvider(id: string): Promise<ProviderName> {
  return call(identityProvidersApi.agree, { body: { id } });
}

/** Where the browser goes to sign in with the provider. */
export const ssoAddress = ({ id }: Pick<ProviderName, 'id'>): string =>
  `${API_PREFIX}${identityProvidersApi.start.url}?id=${encodeURIComponent(id)}`;

/** Asks for an e-mail with a link to a new password. */
export async function requestReset(email: string): Promise<void> {
  await call(accountsApi.forgot, { body: { email } });
}
