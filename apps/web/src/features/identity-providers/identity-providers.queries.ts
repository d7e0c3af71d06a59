import { identityProvidersApi } from '@albedo/contract/identity-providers/identity-providers.api';
import type { ProviderChange } from '@albedo/contract/identity-providers/identity-providers.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

const keys = {
  settings: (wg: string) => ['sign-in-settings', wg] as const,
  available: (wg: string) => ['identity-providers', wg] as const,
};

/** How the workgroup signs in. */
export const signInSettingsQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.settings(wg),
    queryFn: ({ signal }) => call(identityProvidersApi.get, { params: { wg } }, signal),
  });

/** The identity providers that somebody can be invited with. */
export const availableProvidersQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.available(wg),
    queryFn: ({ signal }) => call(identityProvidersApi.available, { params: { wg } }, signal),
  });

/** Errors: with a sentence that says what is wrong with the provider. */
export async function setProvider(wg: string, provider: ProviderChange['provider']): Promise<void> {
  const settings = await call(identityProvidersApi.set, { params: { wg }, body: { provider } });
  queryClient.setQueryData(keys.settings(wg), settings);
  await queryClient.invalidateQueries({ queryKey: keys.available(wg) });
}
