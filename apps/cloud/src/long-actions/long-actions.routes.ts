import { longActionsApi } from '@albedo/contract/long-actions/long-actions.api';
import type { FastifyInstance } from 'fastify';
import { signedIn } from '../access/signed-in.ts';
import { bind, type Call } from '../http/bind.ts';
import type { LongActions } from './long-actions.service.ts';

/** Whose long actions a call in a workgroup is about: the caller's own. */
const mine = (call: Pick<Call, 'session' | 'workgroup'>) => ({
  workgroup: call.workgroup,
  ownerId: signedIn(call)._id,
});

export function longActionsRoutes(app: FastifyInstance, actions: LongActions): void {
  bind(app, longActionsApi, {
    list: (call) => actions.list(mine(call)),
    get: (call) => actions.get(mine(call), call.params.action),
    cancel: (call) => actions.cancel(mine(call), call.params.action),
    retry: (call) => actions.retry(mine(call), call.params.action),
    dismiss: async (call) => {
      await actions.dismiss(mine(call), call.params.action);
      return {};
    },
    offerFile: (call) => actions.offerFile(mine(call), call.params.action),
    staffList: () => actions.list('staff'),
    staffGet: ({ params }) => actions.get('staff', params.action),
    staffCancel: ({ params }) => actions.cancel('staff', params.action),
    staffRetry: ({ params }) => actions.retry('staff', params.action),
    staffDismiss: async ({ params }) => {
      await actions.dismiss('staff', params.action);
      return {};
    },
    staffOfferFile: ({ params }) => actions.offerFile('staff', params.action),
    fetchFile: async ({ params, reply }) => {
      const { name, type, bytes } = await actions.fetchFile(params.token);
      reply
        .type(type)
        .header('content-disposition', `attachment; filename="${name.replace(/["\\\r\n]/g, '')}"`);
      return bytes;
    },
  });
}
