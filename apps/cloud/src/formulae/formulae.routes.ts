import { formulaeApi } from '@albedo/contract/formulae/formulae.api';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import { bind, type Call } from '../http/bind.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { FormulaCaller, Formulae } from './formulae.service.ts';

export function formulaeRoutes(app: FastifyInstance, formulae: Formulae, telemetry: Telemetry): void {
  const formulaCaller = (call: Pick<Call, 'workgroup' | 'scope' | 'session' | 'request'>): FormulaCaller => ({
    workgroup: call.workgroup,
    by: managerOf(call),
    scope: call.scope,
    demandDevice: (device) => app.guard.device(call.workgroup, device, call.scope),
    unitOf: (formula) => telemetry.for(callerOf(call)).formulaUnit(formula),
  });
  bind(app, formulaeApi, {
    list: (call) => formulae.list(formulaCaller(call)),
    create: (call) => formulae.create(formulaCaller(call), call.body),
    update: (call) => formulae.update(formulaCaller(call), call.params.formula, call.body),
    remove: async (call) => {
      await formulae.remove(formulaCaller(call), call.params.formula);
      return {};
    },
    share: (call) => formulae.share(formulaCaller(call), call.params.formula, true),
    unshare: async (call) => {
      await formulae.share(formulaCaller(call), call.params.formula, false);
      return {};
    },
  });
}
