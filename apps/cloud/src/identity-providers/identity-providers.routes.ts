import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { identityProvidersApi } from '@albedo/contract/identity-providers/identity-providers.api';
import {
  SSO_CALLBACK_PATH,
  SSO_PAGE_PATH,
  SSO_TOKEN_COOKIE,
  SSO_TOKEN_SECONDS,
} from '@albedo/contract/identity-providers/identity-providers.names';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { managerOf } from '../access/manager.ts';
import { signedIn } from '../access/signed-in.ts';
import { AppError } from '../errors/app-error.ts';
import { bind } from '../http/bind.ts';
import { keepCookie, keptCookie } from '../http/cookies.ts';
import type { IdentityProviders } from './identity-providers.service.ts';
import {
  type Confirmed,
  type SignedIn,
  SignInFailed,
  type SignIns,
  SSO_REQUEST_MS,
} from './sign-ins.service.ts';

/** Known to the browser that began a sign-in and to nobody else. */
const BROWSER_COOKIE = 'albedo-sso';
/** The providers that somebody at this browser asked for. */
const START_COOKIE = 'albedo-sso-start';
/** The provider that signed this browser in last. */
const LAST_USED_COOKIE = 'albedo-sso-last';
const LAST_USED_SECONDS = 180 * 86_400;
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
      lookup: async ({ body, request, reply }) => {
        const found = await signIns.lookup(body.email, lastUsedIn(request));
        allowStart(
          request,
          reply,
          found.choices.map(({ id }) => id),
        );
        return found;
      },
      named: ({ query }) => signIns.named(query.id),
      agree: async ({ body, request, reply }) => {
        const found = await signIns.named(body.id);
        allowStart(request, reply, [found.id]);
        return found;
      },
      start: ({ query, request, reply }) =>
        orTell(reply, async () => {
          const home = new URL(publicUrl());
          // The answer comes to the public address, so the browser's secret has to be kept there.
          if (request.host !== home.host && query.moved === undefined)
            return redirect(reply, `${home.origin}${BROWSER_PATH}/saml/login/sso?id=${query.id}&moved=1`);
          if (!mayStart(request, query.id)) return redirect(reply, `${SSO_PAGE_PATH}?provider=${query.id}`);
          const { url, browserSecret } = await signIns.begin(query.id, browserSecretOf(request));
          keepSecret(request, reply, browserSecret);
          return redirect(reply, url);
        }),
      askAgain: async (call) => {
        const { idpId, jti } = signedIn(call);
        if (idpId === undefined) throw new AppError('sso.not_found');
        const { request, reply } = call;
        const begun = await signIns.beginConfirmation(idpId, browserSecretOf(request), jti);
        keepSecret(request, reply, begun.browserSecret);
        return { url: begun.url };
      },
      confirm: async (call) => ({
        token: await signIns.confirm(signedIn(call), call.body.request, call.request.ip),
      }),
      acs: ({ body, request, reply }) =>
        orTell(reply, async () => {
          const asked = await signIns.providerOfUnsolicited(body.RelayState, body.SAMLResponse);
          if (asked) return redirect(reply, `${BROWSER_PATH}/saml/login/sso?id=${asked}`);
          const id = await signIns.takeSamlAnswer(body.RelayState, body.SAMLResponse, request.ip);
          // The post comes from another site, so the browser kept its cookie back; with this step it sends it.
          return redirect(reply, `${BROWSER_PATH}/saml/login/sso/finish?request=${encodeURIComponent(id)}`);
        }),
      finish: ({ query, request, reply }) =>
        orTell(reply, async () => {
          const secret = browserSecretOf(request) ?? '';
          return comeBack(request, reply, await signIns.finish(query.request, secret, request.ip));
        }),
      metadata: async ({ params }) => Buffer.from(await signIns.metadata(params.orgName)),
      oidcCallback: ({ params, query, request, reply }) =>
        orTell(reply, async () => {
          const secret = browserSecretOf(request) ?? '';
          const done = await signIns.takeOidcAnswer(
            params.orgName,
            query as Record<string, string>,
            secret,
            request.ip,
          );
          return comeBack(request, reply, done);
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

/** To the page that takes the session over, or that says that the session is confirmed. */
const comeBack = (request: FastifyRequest, reply: FastifyReply, done: SignedIn | Confirmed): Buffer =>
  'confirmation' in done
    ? redirect(reply, `${SSO_CALLBACK_PATH}?confirmation=${encodeURIComponent(done.confirmation)}`)
    : handOver(request, reply, done);

/** The page reads the token and clears the cookie. */
function handOver(request: FastifyRequest, reply: FastifyReply, { token, providerId }: SignedIn): Buffer {
  const once = { maxAge: SSO_TOKEN_SECONDS, sameSite: 'lax', isForScripts: true } as const;
  keepCookie(request, reply, SSO_TOKEN_COOKIE, token, once);
  const last = { maxAge: LAST_USED_SECONDS, sameSite: 'lax' } as const;
  keepCookie(request, reply, LAST_USED_COOKIE, providerId, last);
  return redirect(reply, SSO_CALLBACK_PATH);
}

/**
 * Somebody at this browser asked for a sign-in with one of the providers, on a page of ours. Any other site can lead a
 * browser to the start, and its own provider would then sign the browser in as whom it likes, without a word.
 */
function allowStart(request: FastifyRequest, reply: FastifyReply, providerIds: string[]): void {
  const value = providerIds.slice(0, 20).join('.');
  keepCookie(request, reply, START_COOKIE, value, { maxAge: SSO_REQUEST_MS / 1000, sameSite: 'strict' });
}

/** A provider that signed this browser in before needs no asking. */
function mayStart(request: FastifyRequest, providerId: string): boolean {
  const allowed = (keptCookie(request, START_COOKIE) ?? '').split('.');
  return allowed.includes(providerId) || lastUsedIn(request) === providerId;
}

const lastUsedIn = (request: FastifyRequest): string | null => keptCookie(request, LAST_USED_COOKIE);

/** Several tabs may sign in side by side with the same secret, so it stays until it is too old to be of use. */
const browserSecretOf = (request: FastifyRequest): string | null => keptCookie(request, BROWSER_COOKIE);

const keepSecret = (request: FastifyRequest, reply: FastifyReply, value: string): void =>
  keepCookie(request, reply, BROWSER_COOKIE, value, { maxAge: SSO_REQUEST_MS / 1000, sameSite: 'lax' });
