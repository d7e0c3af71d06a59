import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';

export const CLIENT = { clientId: 'albedo', clientSecret: 'a secret of both sides' } as const;

/** What an ID token says; left out, it says what is right. */
export interface IdClaims {
  iss: string;
  aud: string;
  sub: string;
  nonce: string;
  email: string | undefined;
  email_verified: boolean;
  name: string;
  exp: number;
  auth_time: number;
  /** Signed with a key that nobody knows. */
  isForged: boolean;
}

/** An OpenID provider in a few lines, honest unless told otherwise. */
export class OpenIdIssuer {
  readonly url: string;
  /** What the next ID tokens say. */
  says: Partial<IdClaims> = {};
  /** How the provider calls itself; null for what it is. */
  callsItself: string | null = null;
  readonly #server: Server;
  readonly #codes = new Map<string, { nonce: string; challenge: string }>();

  constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  static async start(): Promise<OpenIdIssuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const issuer = new OpenIdIssuer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
    const [honest, forged] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
    const jwk = { ...(await exportJWK(honest.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    server.on('request', async (request, reply) => {
      const { pathname } = new URL(request.url ?? '/', issuer.url);
      const answer =
        pathname === '/.well-known/openid-configuration'
          ? issuer.#configuration()
          : pathname === '/jwks'
            ? { keys: [jwk] }
            : await issuer.#token(request, issuer.says.isForged ? forged.privateKey : honest.privateKey);
      reply.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' });
      reply.end(JSON.stringify(answer));
    });
    return issuer;
  }

  /** Signs in at the address that the browser was led to; answers the query that it brings back. */
  authorize(address: string): Record<string, string> {
    const asked = new URL(address).searchParams;
    const code = randomUUID();
    const challenge = asked.get('code_challenge') ?? '';
    this.#codes.set(code, { nonce: asked.get('nonce') ?? '', challenge });
    return { code, state: asked.get('state') ?? '', iss: this.url };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #configuration(): object {
    return {
      issuer: this.callsItself ?? this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  async #token(request: IncomingMessage, key: CryptoKey): Promise<object> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const asked = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!asked || asked.challenge !== verifier || form.get('client_secret') !== CLIENT.clientSecret)
      return { error: asked ? 'invalid_client' : 'invalid_grant' };
    const { isForged: _isForged, ...says } = this.says;
    const now = Math.floor(Date.now() / 1000);
    const right = {
      iss: this.url,
      aud: CLIENT.clientId,
      sub: 'lee-1',
      nonce: asked.nonce,
      iat: now,
      exp: now + 60,
    };
    const person = { email: 'lee@example.org', email_verified: true, name: 'Lee' };
    const token = new SignJWT({ ...right, ...person, ...says }).setProtectedHeader({
      alg: 'RS256',
      kid: 'one',
    });
    return { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: await token.sign(key) };
  }
}
