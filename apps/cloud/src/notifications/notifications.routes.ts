import { notificationsApi } from '@albedo/contract/notifications/notifications.api';
import type { FastifyInstance } from 'fastify';
import { managerOf } from '../access/manager.ts';
import { signedIn } from '../access/signed-in.ts';
import { bind } from '../http/bind.ts';
import type { Settings } from '../settings/settings.service.ts';
import { noticeOf } from './announcer.service.ts';
import type { Push } from './push.service.ts';
import type { NotificationSetup } from './setup.service.ts';

export function notificationsRoutes(
  app: FastifyInstance,
  of: { setup: NotificationSetup; push: Push; settings: Pick<Settings, 'languageOf'> },
): void {
  const { setup, push, settings } = of;
  bind(app, notificationsApi, {
    channels: ({ workgroup }) => setup.channels(workgroup),
    createChannel: (call) => setup.createChannel(call.workgroup, call.body, managerOf(call)),
    updateChannel: (call) =>
      setup.updateChannel(call.workgroup, call.params.channel, call.body, managerOf(call)),
    removeChannel: async (call) => {
      await setup.removeChannel(call.workgroup, call.params.channel, managerOf(call));
      return {};
    },
    testChannel: (call) => setup.testChannel(call.workgroup, call.params.channel, managerOf(call)),
    people: ({ workgroup }) => setup.people(workgroup),
    deliveries: ({ workgroup }) => setup.deliveries(workgroup),
    heartbeat: ({ workgroup }) => setup.heartbeat(workgroup),
    setHeartbeat: (call) => setup.setHeartbeat(call.workgroup, call.body, managerOf(call)),
    escalations: ({ workgroup }) => setup.escalations(workgroup),
    createEscalation: (call) => setup.createEscalation(call.workgroup, call.body, managerOf(call)),
    updateEscalation: (call) =>
      setup.updateEscalation(call.workgroup, call.params.escalation, call.body, managerOf(call)),
    removeEscalation: async (call) => {
      await setup.removeEscalation(call.workgroup, call.params.escalation, managerOf(call));
      return {};
    },
    rotas: ({ workgroup }) => setup.rotas(workgroup),
    createRota: (call) => setup.createRota(call.workgroup, call.body, managerOf(call)),
    updateRota: (call) => setup.updateRota(call.workgroup, call.params.rota, call.body, managerOf(call)),
    removeRota: async (call) => {
      await setup.removeRota(call.workgroup, call.params.rota, managerOf(call));
      return {};
    },
    push: (call) => push.state(signedIn(call)._id),
    subscribe: (call) => push.subscribe(signedIn(call)._id, call.body),
    unsubscribe: (call) => push.unsubscribe(signedIn(call)._id, call.params.subscription),
    testPush: async (call) => {
      const { _id } = signedIn(call);
      return push.test(_id, noticeOf('', { what: 'test' }, await settings.languageOf(_id)));
    },
  });
}
