import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';

const COOKIE = 'albedo-known';
const DAYS = 180;

/**
 * Browsers that signed in to an account before. Failed sign-ins of strangers are counted apart from theirs, so that
 * nobody can lock the holder of an account out by guessing. Source: OWASP, Slow Down Online Guessing Attacks with
 * Device Cookies.
 *
 * The cookie is `<nonce>.<signature>`, the signature bound to the account; it opens nothing.
 */
export function rememberBrowser(request: FastifyRequest, reply: FastifyReply, email: string): void {
  const nonce = knownBrowser(request, email) ?? randomBytes(18).toString('base64url');
  reply.setCookie(COOKIE, `${nonce}.${sign(request, nonce, email)}`, {
    path: API_PREFIX,
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https',
    maxAge: DAYS * 86_400,
  });
}

/** Name of the browser when the account was signed in to from it before; null otherwise. */
export function knownBrowser(request: FastifyRequest, email: string): string | null {
  const [nonce = '', signature = ''] = (request.cookies[COOKIE] ?? '').split('.');
  const wanted = Buffer.from(sign(request, nonce, email));
  const given = Buffer.from(signature);
  return wanted.length === given.length && timingSafeEqual(wanted, given) ? nonce : null;
}

const sign = (request: FastifyRequest, nonce: string, email: string): string =>
  createHmac('sha256', request.server.csrfSecret)
    .update(`known browser ${nonce} ${email}`)
    .digest('base64url');
