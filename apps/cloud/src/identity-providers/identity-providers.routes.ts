import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { identityProvidersApi } from '@albedo/contract/identity-providers/identity-providers.api';
import {
  SSO_CALLBACK_PATH,
  SSO_TOKEN_COOKIE,
  SSO_TOKEN_SECONDS,
} from '@albedo/contract/identity-providers/identity-providers.names';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bind } from '../http/bind.ts';
import { managerOf } from '../members/manager.ts';
import type { IdentityProviders } from './identity-providers.service.ts';
import { SignInFailed, type SignIns, SSO_REQUEST_MS } from './sign-ins.service.ts';

/** Known to the browser that began a sign-in and to nobody else. */
const BROWSER_COOKIE = 'albedo-sso';
const BROWSER_PATH = `${API_PREFIX}/auth`;
const FORM = 'application/x-www-form-urlencoded';
/** A SAML answer with many attributes has some 20 kB. */
const FORM_LIMIT = 256 * 1024;

export function identityProvidersRoutes(
  app: FastifyInstance,
  of: { identityProviders: IdentityProviders; signIns: SignIns; publicUrl: () => string },
): void {
  const { identityProviders, signIns, publicUrl } = of;
  // In a scope of its own, because no other endpoint takes forms.
  app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: FORM_LIMIT }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    bind(scope, identityProvidersApi, {
      get: ({ workgroup }) => identityProviders.settings(workgroup),
      set: (call) => identityProviders.set(call.workgroup, call.body.provider, managerOf(call)),
      available: ({ workgroup }) => identityProviders.available(workgroup),
      lookup: ({ body }) => signIns.lookup(body.email),
      start: ({ query, request, reply }) =>
        orTell(reply, async () => {
          const home = new URL(publicUrl());
          // The answer comes to the public address, so the browser's secret has to be kept there.
          if (request.host !== home.host && query.moved === undefined)
            return redirect(reply, `${home.origin}${BROWSER_PATH}/saml/login/sso?id=${query.id}&moved=1`);
          const { url, browserSecret } = await signIns.begin(query.id);
          keepBrowserSecret(request, reply, browserSecret);
          return redirect(reply, url);
        }),
      acs: ({ body, request, reply }) =>
        orTell(reply, async () => {
          const id = await signIns.takeSamlAnswer(body.RelayState, body.SAMLResponse, request.ip);
          // The post comes from another site, so the browser kept its cookie back; with this step it sends it.
          return redirect(reply, `${BROWSER_PATH}/saml/login/sso/finish?request=${encodeURIComponent(id)}`);
        }),
      finish: ({ query, request, reply }) =>
        orTell(reply, async () => {
          const token = await signIns.finish(query.request, takeBrowserSecret(request, reply), request.ip);
          return handOver(request, reply, token);
        }),
      metadata: ({ params }) => Buffer.from(signIns.metadata(params.orgName)),
      oidcCallback: ({ params, query, request, reply }) =>
        orTell(reply, async () => {
          const secret = takeBrowserSecret(request, reply);
          const token = await signIns.takeOidcAnswer(params.orgName, query, secret, request.ip);
          return handOver(request, reply, token);
        }),
    });
  });
}

/** Leads to the page that says that the sign-in failed. */
async function orTell(reply: FastifyReply, work: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignInFailed)) throw error;
    return redirect(reply, `${SSO_CALLBACK_PATH}?error=${error.failure}`);
  }
}

function redirect(reply: FastifyReply, url: string): Buffer {
  reply.code(303).header('location', url);
  return Buffer.alloc(0);
}

/** The page reads the token and clears the cookie; nothing but that page is sent it. */
function handOver(request: FastifyRequest, reply: FastifyReply, token: string): Buffer {
  reply.setCookie(SSO_TOKEN_COOKIE, token, {
    path: SSO_CALLBACK_PATH,
    maxAge: SSO_TOKEN_SECONDS,
    sameSite: 'lax',
    secure: request.protocol === 'https',
  });
  return redirect(reply, SSO_CALLBACK_PATH);
}

function keepBrowserSecret(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  reply.setCookie(BROWSER_COOKIE, secret, {
    path: BROWSER_PATH,
    maxAge: SSO_REQUEST_MS / 1000,
    sameSite: 'lax',
    secure: request.protocol === 'https',
    httpOnly: true,
  });
}

function takeBrowserSecret(request: FastifyRequest, reply: FastifyReply): string {
  reply.clearCookie(BROWSER_COOKIE, { path: BROWSER_PATH });
  return request.cookies[BROWSER_COOKIE] ?? '';
}
