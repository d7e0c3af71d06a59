import { z } from 'zod';
import { whenMissing } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { email } from '../sessions/sessions.schema.ts';
import { workgroupName } from '../workgroups/workgroups.schema.ts';

export const providerKind = z.enum(['saml', 'oidc']);
export type ProviderKind = z.infer<typeof providerKind>;

/** An identity provider as everybody may know it. */
export const providerName = z.object({ id: z.uuid(), kind: providerKind, name: z.string() });
export type ProviderName = z.infer<typeof providerName>;

const name = z
  .string(whenMissing('Name is required'))
  .trim()
  .min(1, 'Name is required')
  .max(80)
  .regex(...ONE_LINE);
const address = z
  .string()
  .trim()
  .max(2000)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    message: 'The address must start with https://',
  });

/** SAML 2.0: the provider's metadata as text, or the address where the server reads it. */
export const newSamlProvider = z
  .object({
    kind: z.literal('saml'),
    name,
    metadata: z.string().min(1).max(500_000, 'The metadata can be up to 500 kB.').optional(),
    metadataUrl: address.optional(),
  })
  .refine(({ metadata, metadataUrl }) => (metadata === undefined) !== (metadataUrl === undefined), {
    message: 'Enter the metadata or its address.',
    path: ['metadata'],
  });

/** OpenID Connect. Without a secret the one that is stored stays, as long as issuer and client are the same. */
export const newOidcProvider = z.object({
  kind: z.literal('oidc'),
  name,
  issuer: address,
  clientId: z.string().trim().min(1, 'Client ID is required').max(500),
  clientSecret: z.string().min(1).max(2000).optional(),
});

/** Null takes the provider away. */
export const providerChange = z.object({ provider: z.union([newSamlProvider, newOidcProvider]).nullable() });
export type ProviderChange = z.infer<typeof providerChange>;

/** A certificate that the provider signs with. */
export const signingCertificate = z.object({
  subject: z.string(),
  /** Epoch ms. */
  notAfter: z.number(),
  /** SHA-256, hexadecimal with colons. */
  fingerprint: z.string(),
});

const known = {
  id: z.uuid(),
  name: z.string(),
  /** Epoch ms, as the other instants. */
  changedAt: z.number(),
  lastSignInAt: z.number().nullable(),
  lastFailureAt: z.number().nullable(),
  /** Why that sign-in failed. */
  lastFailure: z.string().nullable(),
  /** The latest of them, the last one first. */
  failures: z.array(z.object({ at: z.number(), reason: z.string() })),
  /** People who sign in with it. */
  people: z.number().int(),
};

/** The provider of a workgroup, without its secret. */
export const provider = z.discriminatedUnion('kind', [
  z.object({
    ...known,
    kind: z.literal('saml'),
    entityId: z.string(),
    signOnUrl: z.string(),
    /** Null where the metadata was uploaded. */
    metadataUrl: z.string().nullable(),
    metadataReadAt: z.number(),
    /** Why it could not be read again since then. */
    metadataFailure: z.string().nullable(),
    certificates: z.array(signingCertificate),
  }),
  z.object({
    ...known,
    kind: z.literal('oidc'),
    issuer: z.string(),
    clientId: z.string(),
    hasSecret: z.boolean(),
  }),
]);
export type Provider = z.infer<typeof provider>;

/** How a workgroup signs in, and what the administrator of its identity provider has to enter there. */
export const signInSettings = z.object({
  provider: provider.nullable(),
  saml: z.object({ entityId: z.string(), acsUrl: z.string(), metadataUrl: z.string() }),
  oidc: z.object({ redirectUrl: z.string() }),
});
export type SignInSettings = z.infer<typeof signInSettings>;

export const ssoLookup = z.object({ email });
/** A provider to choose; `workgroup` is its title where two providers have the same name, else null. */
export const providerChoice = providerName.extend({ workgroup: z.string().nullable() });
export type ProviderChoice = z.infer<typeof providerChoice>;
/** The provider of an address, and all of them: that one first. */
export const ssoFound = providerName.extend({ choices: z.array(providerChoice) });
export type SsoFound = z.infer<typeof ssoFound>;
export const ssoProvider = z.object({ id: z.uuid() });
/** Sites of others link to it, with what they count their visitors by. */
export const ssoStart = z.looseObject({
  id: z.uuid(),
  /** The browser was led here from another host name. */
  moved: z.literal('1').optional(),
});
/** What the provider sends by the browser; both are base64 or tokens of ours. Some add fields of their own. */
export const samlAnswer = z
  .object({
    SAMLResponse: z.string().min(1),
    RelayState: z.string().max(200).default(''),
  })
  .catchall(z.string().max(8000));
export const ssoFinish = z.object({ request: z.string().max(200) });
const oidcText = z.string().max(8000);
/** What an OpenID provider sends back by the browser; some add fields of their own. */
export const oidcAnswer = z
  .object({
    state: oidcText.optional(),
    code: oidcText.optional(),
    iss: oidcText.optional(),
    error: oidcText.optional(),
    error_description: oidcText.optional(),
  })
  .catchall(oidcText);
export const ofWorkgroup = z.object({ orgName: workgroupName });
