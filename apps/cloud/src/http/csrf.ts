import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { XSRF_COOKIE, XSRF_HEADER } from '@albedo/contract/http/xsrf';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { keepCookie, keptCookie } from './cookies.ts';

declare module 'fastify' {
  interface FastifyInstance {
    csrfSecret: Buffer;
  }
}

/**
 * The anti-forgery cookie (signed double submit): whoever changes something must repeat the cookie's value in a
 * header, which a foreign page cannot read, and the value must carry our signature, which a foreign page on a
 * sibling host cannot make.
 */
export function setCsrfCookie(request: FastifyRequest, reply: FastifyReply): void {
  const present = keptCookie(request, XSRF_COOKIE);
  const value =
    present && isOurs(request.server.csrfSecret, present) ? present : issue(request.server.csrfSecret);
  keepCookie(request, reply, XSRF_COOKIE, value, { sameSite: 'strict', isForScripts: true });
}

/** Throws `request.csrf` unless the request repeats its anti-forgery cookie in the header. */
export function checkCsrf(request: FastifyRequest): void {
  const header = request.headers[XSRF_HEADER];
  const cookie = keptCookie(request, XSRF_COOKIE);
  if (typeof header !== 'string' || header !== cookie || !isOurs(request.server.csrfSecret, header)) {
    throw new AppError('request.csrf');
  }
}

/**
 * Throws `request.csrf` for what a browser sends for another site, or to fill a window, a frame or a picture: what needs a
 * token is asked for by our own pages and by programs, which send none of these headers. So a GET that changes something
 * cannot be made by anybody else's page either.
 */
export function checkFetchSite({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const { 'sec-fetch-site': site = 'same-origin', 'sec-fetch-dest': dest = 'empty' } = headers;
  if (site !== 'same-origin' || dest !== 'empty') throw new AppError('request.csrf');
}

function issue(secret: Buffer): string {
  const nonce = randomBytes(18).toString('base64url');
  return `${nonce}.${sign(secret, nonce)}`;
}

function isOurs(secret: Buffer, value: string): boolean {
  const [nonce = '', signature = ''] = value.split('.');
  const wanted = Buffer.from(sign(secret, nonce));
  const given = Buffer.from(signature);
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

const sign = (secret: Buffer, nonce: string): string =>
  createHmac('sha256', secret).update(nonce).digest('base64url');
