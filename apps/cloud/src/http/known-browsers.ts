import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { keepCookie, keptCookie } from './cookies.ts';

const COOKIE = 'albedo-known';

declare module 'fastify' {
  interface FastifyInstance {
    /** How long a browser counts as known, seconds. */
    knownBrowserS: number;
  }
}

/**
 * Browsers that signed in to an account before. Failed sign-ins of strangers are counted apart from theirs, so that
 * nobody can lock the holder of an account out by guessing. Source: OWASP, Slow Down Online Guessing Attacks with
 * Device Cookies.
 *
 * The cookie is `<nonce>.<signature>`, the signature bound to the account; it opens nothing.
 */
export function rememberBrowser(request: FastifyRequest, reply: FastifyReply, email: string): void {
  const nonce = knownBrowser(request, email) ?? randomBytes(18).toString('base64url');
  const value = `${nonce}.${sign(request, nonce, email)}`;
  const maxAge = request.server.knownBrowserS;
  keepCookie(request, reply, COOKIE, value, { sameSite: 'strict', maxAge });
}

/** Name of the browser when the account was signed in to from it before; null otherwise. */
export function knownBrowser(request: FastifyRequest, email: string): string | null {
  // Earlier releases kept it without a prefix for half a year; it opens nothing, so it may be anybody's.
  const kept = keptCookie(request, COOKIE) ?? request.cookies[COOKIE] ?? '';
  const [nonce = '', signature = ''] = kept.split('.');
  const wanted = Buffer.from(sign(request, nonce, email));
  const given = Buffer.from(signature);
  return wanted.length === given.length && timingSafeEqual(wanted, given) ? nonce : null;
}

const sign = (request: FastifyRequest, nonce: string, email: string): string =>
  createHmac('sha256', request.server.csrfSecret)
    .update(`known browser ${nonce} ${email}`)
    .digest('base64url');
