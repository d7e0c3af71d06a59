import { stepUpApi } from '@albedo/contract/step-up/step-up.api';
import type { FastifyInstance } from 'fastify';
import { signedIn } from '../access/signed-in.ts';
import { bind } from '../http/bind.ts';
import type { StepUp } from './step-up.service.ts';

export function stepUpRoutes(app: FastifyInstance, stepUp: StepUp): void {
  bind(app, stepUpApi, {
    offer: async (call) => ({ factors: await stepUp.factors(signedIn(call)) }),
    askPasskey: (call) => stepUp.askPasskey(signedIn(call)),
    confirm: async (call) => ({ token: await stepUp.confirm(signedIn(call), call.body, call.request.ip) }),
  });
}
