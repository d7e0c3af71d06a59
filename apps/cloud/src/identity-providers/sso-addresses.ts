import { API_PREFIX } from '@albedo/contract/http/endpoint';
import type { SignInSettings } from '@albedo/contract/identity-providers/identity-providers.schema';

/**
 * What the administrator of a workgroup's identity provider enters there. The addresses name the workgroup alone, so
 * that they are known before there is a provider, and tell nobody whether the workgroup exists.
 *
 * Each workgroup has an OpenID redirect address of its own, so that no provider's answer passes for another one's.
 */
export function ssoAddresses(publicUrl: string, workgroup: string): Omit<SignInSettings, 'provider'> {
  const base = publicUrl + API_PREFIX;
  const metadataUrl = `${base}/auth/saml/metadata/${workgroup}`;
  return {
    saml: { entityId: metadataUrl, metadataUrl, acsUrl: `${base}/auth/saml/login/sso/callback` },
    oidc: { redirectUrl: `${base}/auth/oidc/callback/${workgroup}` },
  };
}
