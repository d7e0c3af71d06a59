import { mfaApi } from '@albedo/contract/mfa/mfa.api';
import type { FastifyInstance } from 'fastify';
import { holderOf, signedIn } from '../access/signed-in.ts';
import { bind } from '../http/bind.ts';
import type { Mfa } from './mfa.service.ts';

export function mfaRoutes(app: FastifyInstance, mfa: Mfa): void {
  bind(app, mfaApi, {
    enterCode: async (call) => ({
      token: await mfa.enterCode(holderOf(call), call.body.key, call.request.ip),
    }),
    recover: async (call) => ({ token: await mfa.recover(holderOf(call), call.body.key, call.request.ip) }),
    beginSetup: async (call) => ({
      uri: await mfa.beginSetup(holderOf(call), call.body?.key, call.request.ip),
    }),
    confirmSetup: (call) => mfa.confirmSetup(holderOf(call), call.body.key, call.request.ip),
    renewRecoveryCode: async (call) => ({
      recoveryCode: await mfa.renewRecoveryCode(signedIn(call), call.body.key, call.request.ip),
    }),
    policy: async ({ workgroup }) => ({ required: await mfa.policy(workgroup) }),
    setPolicy: async (call) => {
      const { _id: userId, email } = signedIn(call);
      await mfa.setPolicy(call.workgroup, call.body.required, { userId, email, address: call.request.ip });
      return call.body;
    },
  });
}
