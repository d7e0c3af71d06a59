import { completenessApi } from '@albedo/contract/completeness/completeness.api';
import type { FastifyInstance } from 'fastify';
import { bind } from '../http/bind.ts';
import type { Ledger } from './completeness.service.ts';

/** That the device belongs to the workgroup is checked by `bind`. */
export function completenessRoutes(app: FastifyInstance, ledger: Ledger): void {
  bind(app, completenessApi, {
    get: ({ params }) => ledger.read(params.device),
    quarantine: ({ params }) => ledger.quarantined(params.device),
  });
}
