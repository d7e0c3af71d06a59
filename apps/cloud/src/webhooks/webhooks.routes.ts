import { webhooksApi } from '@albedo/contract/webhooks/webhooks.api';
import type { FastifyInstance } from 'fastify';
import { managerOf } from '../access/manager.ts';
import { bind } from '../http/bind.ts';
import type { Webhooks } from './webhooks.service.ts';

export function webhooksRoutes(app: FastifyInstance, webhooks: Webhooks): void {
  bind(app, webhooksApi, {
    list: ({ workgroup }) => webhooks.list(workgroup),
    create: (call) => webhooks.create(call.workgroup, call.body, managerOf(call)),
    update: (call) => webhooks.update(call.workgroup, call.params.webhook, call.body, managerOf(call)),
    remove: async (call) => {
      await webhooks.remove(call.workgroup, call.params.webhook, managerOf(call));
      return {};
    },
    renewSecret: (call) => webhooks.renewSecret(call.workgroup, call.params.webhook, managerOf(call)),
    test: (call) => webhooks.test(call.workgroup, call.params.webhook, managerOf(call)),
    deliveries: (call) => webhooks.deliveries(call.workgroup, call.params.webhook),
    again: (call) =>
      webhooks.again(call.workgroup, call.params.webhook, call.params.delivery, managerOf(call)),
  });
}
