import { workgroupRequestsApi } from '@albedo/contract/workgroup-requests/workgroup-requests.api';
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../access/actor.ts';
import { bind } from '../http/bind.ts';
import type { WorkgroupRequests } from './workgroup-requests.service.ts';

export function workgroupRequestsRoutes(app: FastifyInstance, requests: WorkgroupRequests): void {
  bind(app, workgroupRequestsApi, {
    submit: async ({ body, request }) => {
      await requests.submit(body, request.ip);
      return {};
    },
    list: () => requests.list(),
    accept: (call) => requests.accept(call.params.request, call.body, actorOf(call)),
    reject: (call) => requests.reject(call.params.request, actorOf(call)),
  });
}
