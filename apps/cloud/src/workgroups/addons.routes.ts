import { addonsApi } from '@albedo/contract/workgroups/addons.api';
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../access/actor.ts';
import { bind } from '../http/bind.ts';
import type { Addons } from './addons.service.ts';

export function addonsRoutes(app: FastifyInstance, addons: Addons): void {
  bind(app, addonsApi, {
    available: ({ params }) => addons.available(params.wg),
    add: (call) => addons.add(call.params.wg, call.body.id, call.body.settings, actorOf(call)),
    update: (call) => addons.update(call.params.wg, call.params.addon, call.body.settings, actorOf(call)),
    remove: (call) => addons.remove(call.params.wg, call.params.addon, actorOf(call)),
  });
}
