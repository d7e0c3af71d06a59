import { identityProvidersApi } from '@albedo/contract/identity-providers/identity-providers.api';
import { type FindingSource, foundOf } from '../house/finding.ts';
import type { IdentityProviders } from './identity-providers.service.ts';

const SOON_MS = 30 * 86_400_000;

/** Identity providers whose certificates all expire soon: after that nobody can sign in through them. */
export const identityProvidersFindings = (providers: Pick<IdentityProviders, 'settings'>): FindingSource => ({
  kind: 'sign-in-certificates',
  access: identityProvidersApi.get.access,
  find: async ({ workgroup, now }) => {
    const { provider } = await providers.settings(workgroup);
    if (provider?.kind !== 'saml' || provider.certificates.length === 0) return null;
    const at = Math.max(...provider.certificates.map(({ notAfter }) => notAfter));
    if (at - now > SOON_MS) return null;
    return foundOf(at <= now ? 'danger' : 'warning', [{ name: provider.name, at }]);
  },
});
