import type { KeyPairPem } from '@albedo/pki/key-files';
import { makeSelfSigned } from '@albedo/pki/self-signed';

/** Years that our certificates are good for; providers have to get every new one. */
const CERTIFICATE_YEARS = 15;

interface KeptPair {
  file: string;
  subject: string;
}

/** Where the keys of SAML lie. What one opens says nothing of what the other one signs. */
export const SSO_PAIRS = {
  signing: { file: 'secrets/saml.json', subject: 'Albedo single sign-on' },
  encryption: { file: 'secrets/saml-encryption.json', subject: 'Albedo single sign-on, encryption' },
} as const satisfies Record<string, KeptPair>;

/** A pair, and the key that was in its place before, for providers that have not read our new metadata. */
export interface SsoPair extends KeyPairPem {
  keyPemBefore?: string;
}

/** A new pair, as its file holds it. */
export const makeSsoPair = async ({ subject }: KeptPair): Promise<string> =>
  JSON.stringify(await makeSelfSigned(subject, CERTIFICATE_YEARS));

/** A new pair for what providers encrypt; what they encrypt for the one in the text is still opened, unless it ends at once. */
export async function withNewPair(text: string, isAtOnce: boolean): Promise<string> {
  const fresh = await makeSsoPair(SSO_PAIRS.encryption);
  if (isAtOnce) return fresh;
  const { keyPem: keyPemBefore } = JSON.parse(text) as SsoPair;
  return JSON.stringify({ ...(JSON.parse(fresh) as SsoPair), keyPemBefore });
}
