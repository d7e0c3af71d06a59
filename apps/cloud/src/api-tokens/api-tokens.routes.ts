import { apiTokensApi } from '@albedo/contract/api-tokens/api-tokens.api';
import type { FastifyInstance } from 'fastify';
import { managerOf } from '../access/manager.ts';
import { signedIn } from '../access/signed-in.ts';
import { bind } from '../http/bind.ts';
import { withEach } from '../http/bulk.ts';
import type { ApiTokens } from './api-tokens.service.ts';

export function apiTokensRoutes(app: FastifyInstance, apiTokens: ApiTokens): void {
  bind(app, apiTokensApi, {
    list: ({ workgroup }) => apiTokens.list(workgroup),
    create: (call) => apiTokens.create(call.workgroup, call.body, managerOf(call)),
    update: (call) =>
      apiTokens.setCanRenew(call.workgroup, call.params.apiToken, call.body.canRenew, managerOf(call)),
    revoke: (call) => apiTokens.revoke(call.workgroup, call.params.apiToken, managerOf(call)),
    revokeSeveral: (call) =>
      withEach(call.body.ids, (id) => apiTokens.revoke(call.workgroup, id, managerOf(call))),
    renew: async (call) => ({ token: await apiTokens.renew(signedIn(call), call.request.ip) }),
  });
}
