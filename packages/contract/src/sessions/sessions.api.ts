import { z } from 'zod';
import { anyone, signedIn } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import {
  localLogin,
  sessionClaims,
  sessionInfo,
  sessionToken,
  socketTicket,
  versionInfo,
} from './sessions.schema.ts';

export const sessionsApi = {
  version: {
    method: 'GET',
    url: '/version',
    access: anyone,
    summary: 'Versions of the server and of the web app; sets the anti-forgery cookie.',
    schema: { response: { 200: versionInfo } },
  },
  login: {
    method: 'POST',
    url: '/auth/local',
    access: anyone,
    summary:
      'Signs in with e-mail and password: answers a session token of ten hours, or a token for the second factor.',
    example: { body: { email: 'ann@example.org', password: 'a good long password' } },
    schema: { body: localLogin, response: { 200: sessionToken } },
    ratePerMinute: 10,
  },
  logout: {
    method: 'POST',
    url: '/auth/logout',
    access: signedIn,
    summary: 'Revokes the session token that the request carries.',
    schema: { response: { 200: z.object({}) } },
  },
  logoutEverywhere: {
    method: 'POST',
    url: '/auth/logout-everywhere',
    access: { ...signedIn, fresh: true },
    summary: 'Revokes every session token of the user, this one too.',
    schema: { response: { 200: z.object({}) } },
  },
  sessions: {
    method: 'GET',
    url: '/me/sessions',
    access: signedIn,
    summary: 'The sessions of the signed-in user, the latest used first.',
    schema: {
      response: {
        200: z.object({
          sessions: z.array(sessionInfo),
          /** Minutes after which this session ends when nobody uses it; null where it does not. */
          idleMinutes: z.number().nullable(),
        }),
      },
    },
  },
  endSession: {
    method: 'DELETE',
    url: '/me/sessions/:session',
    access: { ...signedIn, fresh: true },
    evenBySso: true,
    summary: 'Ends one session of the signed-in user at once.',
    schema: { params: z.object({ session: z.string().min(1).max(100) }), response: { 200: z.object({}) } },
  },
  socketTicket: {
    method: 'POST',
    url: '/socket-ticket',
    access: signedIn,
    summary:
      'A ticket for one connection of a socket within half a minute, given there as the query `token`, so that no session stands in an address.',
    schema: { response: { 200: socketTicket } },
  },
  me: {
    method: 'GET',
    url: '/me',
    access: signedIn,
    summary: 'The signed-in user as the server sees it now.',
    schema: { response: { 200: sessionClaims } },
  },
} as const satisfies Api;
