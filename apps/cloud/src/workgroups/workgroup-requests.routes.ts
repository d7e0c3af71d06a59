import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { workgroupRequestsApi } from '@albedo/contract/workgroups/workgroup-requests.api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../audit/account-audit.ts';
import { bind, signedIn } from '../http/bind.ts';
import type { WorkgroupRequests } from './workgroup-requests.service.ts';

export function workgroupRequestsRoutes(app: FastifyInstance, requests: WorkgroupRequests): void {
  bind(app, workgroupRequestsApi, {
    submit: async ({ body }) => {
      await requests.submit(body);
      return {};
    },
    list: () => requests.list(),
    accept: (call) => requests.accept(call.params.request, call.body, actorOf(call)),
    reject: (call) => requests.reject(call.params.request, actorOf(call)),
  });
}

function actorOf(call: { session: SessionClaims | null; request: FastifyRequest }): Actor {
  const { _id: userId, email } = signedIn(call);
  return { userId, email, address: call.request.ip };
}
