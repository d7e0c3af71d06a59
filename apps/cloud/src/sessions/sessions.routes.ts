import { FRONTEND_VERSION, PRODUCT } from '@albedo/contract/product';
import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import type { FastifyInstance } from 'fastify';
import { bearerToken } from '../access/guard.ts';
import { signedIn } from '../access/signed-in.ts';
import { bind } from '../http/bind.ts';
import { setCsrfCookie } from '../http/csrf.ts';
import { knownBrowser, rememberBrowser } from '../http/known-browsers.ts';
import type { Sessions } from './sessions.service.ts';
import type { SocketTickets } from './socket-tickets.ts';

export function sessionsRoutes(app: FastifyInstance, sessions: Sessions, tickets: SocketTickets): void {
  bind(app, sessionsApi, {
    version: ({ request, reply }) => {
      setCsrfCookie(request, reply);
      return { product: PRODUCT, version: FRONTEND_VERSION, frontendVersion: FRONTEND_VERSION };
    },
    login: async ({ body, request, reply }) => {
      const browser = knownBrowser(request, body.email);
      const token = await sessions.login(body.email, body.password, request.ip, browser);
      rememberBrowser(request, reply, body.email);
      return { token };
    },
    logout: async (call) => {
      await sessions.revoke(signedIn(call));
      return {};
    },
    logoutEverywhere: async (call) => {
      await sessions.revokeUser(signedIn(call)._id);
      return {};
    },
    sessions: async (call) => {
      const session = signedIn(call);
      return { sessions: await sessions.list(session), idleMinutes: sessions.idleLimit(session) };
    },
    endSession: async (call) => {
      await sessions.end(signedIn(call), call.params.session);
      return {};
    },
    socketTicket: ({ request }) => ({
      ticket: tickets.make(bearerToken(request.headers.authorization) ?? ''),
    }),
    me: (call) => sessions.me(signedIn(call)),
  });
}
