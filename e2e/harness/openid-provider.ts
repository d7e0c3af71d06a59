import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const OPENID_CLIENT = { id: 'albedo', secret: 'a secret that both sides know' } as const;

/** A certified OpenID provider in this process; typing a name into its form signs in as that person. */
export class OpenIdProvider {
  readonly issuer: string;
  readonly #server: Server;

  constructor(issuer: string, server: Server) {
    this.issuer = issuer;
    this.#server = server;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** Accounts are e-mail addresses; the name is what stands before the @. */
export async function startOpenIdProvider(redirectUrl: string): Promise<OpenIdProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OPENID_CLIENT.id,
        client_secret: OPENID_CLIENT.secret,
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of this test alone'] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: true, name: id.split('@')[0] ?? id }),
    }),
  });
  server.on('request', provider.callback());
  return new OpenIdProvider(issuer, server);
}
