import { settingsApi } from '@albedo/contract/settings/settings.api';
import type { FastifyInstance } from 'fastify';
import { signedIn } from '../access/signed-in.ts';
import { bind } from '../http/bind.ts';
import type { Settings } from './settings.service.ts';

export function settingsRoutes(app: FastifyInstance, settings: Settings): void {
  bind(app, settingsApi, {
    list: (call) => settings.listOf(signedIn(call)),
    get: async (call) => ({ value: await settings.get(signedIn(call), call.params.key) }),
    set: async (call) => ({
      value: await settings.set(signedIn(call), call.params.key, call.body.value, call.request.ip),
    }),
  });
}
