import { COOKIE_PREFIX } from '@albedo/contract/http/cookies';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface CookieOptions {
  sameSite: 'lax' | 'strict';
  /** Seconds; until the browser is closed where it is left out. */
  maxAge?: number;
  /** For scripts of the web app; others cannot be read there. */
  isForScripts?: boolean;
}

/**
 * Sets a cookie of this host alone. Over https its name begins with `__Host-`, which browsers take from this very host over https
 * only, so that no page of a sibling host can put one of its own in its place. Browsers refuse the prefix on plain http, where
 * nothing would stop anybody either.
 */
export function keepCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  value: string,
  { isForScripts = false, ...options }: CookieOptions,
): void {
  const isHttps = request.protocol === 'https';
  const kept = { ...options, path: '/', httpOnly: !isForScripts, secure: isHttps };
  reply.setCookie(isHttps ? COOKIE_PREFIX + name : name, value, kept);
}

/** What `keepCookie` left in the browser. Over https a cookie without the prefix may be anybody's. */
export function keptCookie({ cookies, protocol }: FastifyRequest, name: string): string | null {
  return cookies[COOKIE_PREFIX + name] ?? (protocol === 'https' ? undefined : cookies[name]) ?? null;
}
