import { accountsApi } from '@albedo/contract/accounts/accounts.api';
import type { FastifyInstance } from 'fastify';
import { signedIn } from '../access/signed-in.ts';
import { bind } from '../http/bind.ts';
import { knownBrowser } from '../http/known-browsers.ts';
import type { Accounts } from './accounts.service.ts';
import type { Profiles } from './profiles.service.ts';

export function accountsRoutes(app: FastifyInstance, accounts: Accounts, profiles: Profiles): void {
  bind(app, accountsApi, {
    forgot: ({ body, request }) => {
      accounts.forgot(body.email, request.ip);
      return {};
    },
    reset: async ({ params, body, request }) => {
      await accounts.reset(params.token, body.password, request.ip, (email) => knownBrowser(request, email));
      return {};
    },
    changePassword: async (call) => {
      await accounts.changePassword(signedIn(call), call.body, call.request.ip);
      return {};
    },
    isAvailable: async ({ query }) => {
      await accounts.demandAvailable(query.email);
      return {};
    },
    profile: (call) => profiles.get(signedIn(call)),
    updateProfile: (call) => profiles.update(signedIn(call), call.body, call.request.ip),
    changeEmail: async (call) => {
      await profiles.changeEmail(signedIn(call), call.body.email, call.request.ip);
      return {};
    },
    revertEmail: async ({ params, request }) => ({
      email: await profiles.revertEmail(params.token, request.ip),
    }),
    confirmEmail: async (call) => ({
      token: await profiles.confirmEmail(signedIn(call), call.body.code, call.request.ip),
    }),
  });
}
