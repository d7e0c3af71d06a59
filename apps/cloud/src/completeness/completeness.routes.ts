import { completenessApi } from '@albedo/contract/completeness/completeness.api';
import type { FastifyInstance } from 'fastify';
import { bind } from '../http/bind.ts';
import { ofSources } from './completeness.scope.ts';
import type { Ledger } from './completeness.service.ts';

/** That the device belongs to the workgroup, and exists for the caller, is checked by `bind`. */
export function completenessRoutes(app: FastifyInstance, ledger: Ledger): void {
  bind(app, completenessApi, {
    get: async ({ params, scope }) => {
      const all = await ledger.read(params.device);
      const sources = scope.sources(params.device);
      return sources ? ofSources(all, sources) : all;
    },
    // A message that could not be stored may hold any source, so who sees only some of them sees none of these.
    quarantine: ({ params, scope }) =>
      scope.sources(params.device) ? [] : ledger.quarantined(params.device),
  });
}
