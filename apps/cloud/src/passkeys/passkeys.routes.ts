import { passkeysApi } from '@albedo/contract/passkeys/passkeys.api';
import type { FastifyInstance } from 'fastify';
import { holderOf, signedIn } from '../access/signed-in.ts';
import { bind } from '../http/bind.ts';
import type { Passkeys } from './passkeys.service.ts';

export function passkeysRoutes(app: FastifyInstance, passkeys: Passkeys): void {
  bind(app, passkeysApi, {
    list: (call) => passkeys.list(signedIn(call)),
    begin: (call) => passkeys.begin(signedIn(call), call.body.password, call.request.ip),
    add: (call) => passkeys.add(signedIn(call), call.body, call.request.ip),
    rename: (call) => passkeys.rename(signedIn(call), call.params.passkey, call.body.name, call.request.ip),
    remove: async (call) => {
      await passkeys.remove(signedIn(call), call.params.passkey, call.request.ip);
      return {};
    },
    beginRecoveryCode: (call) => passkeys.ask(signedIn(call), 'recovery'),
    renewRecoveryCode: async (call) => ({
      recoveryCode: await passkeys.renewRecoveryCode(signedIn(call), call.body, call.request.ip),
    }),
    beginSignIn: (call) => passkeys.ask(holderOf(call), 'sign-in'),
    signIn: async (call) => ({ token: await passkeys.signIn(holderOf(call), call.body, call.request.ip) }),
  });
}
