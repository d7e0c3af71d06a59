import { Readable } from 'node:stream';
import { entitiesApi } from '@albedo/contract/entities/entities.api';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { editorOf } from '../history/history.service.ts';
import { bind } from '../http/bind.ts';
import type { Entities } from './entities.service.ts';
import type { EntityDeletions } from './entity-deletions.ts';
import type { EntityStreams } from './entity-streams.service.ts';

export function entitiesRoutes(
  app: FastifyInstance,
  {
    entities,
    deletions,
    entityStreams: streams,
  }: { entities: Entities; deletions: EntityDeletions; entityStreams: EntityStreams },
): void {
  bind(
    app,
    entitiesApi,
    {
      list: async (call) => {
        call.reply.type('application/json; charset=utf-8');
        return Readable.from([await entities.listText(callerOf(call))]);
      },
      create: (call) => entities.create(editorOf(app, call), call.body),
      createAll: (call) => entities.createAll(editorOf(app, call), call.body.entities),
      changeAll: (call) => entities.changeAll(editorOf(app, call), call.body.changes),
      update: (call) => entities.update(editorOf(app, call), call.params.entity, call.body),
      remove: (call) => deletions.remove(editorOf(app, call), call.params.entity),
      impact: (call) => entities.impact(callerOf(call), call.params.entity),
      addSetting: (call) =>
        entities.addSetting(editorOf(app, call), call.params.entity, call.body.key, call.body.value),
      setSetting: (call) =>
        entities.setSetting(editorOf(app, call), call.params.entity, call.params.key, call.body.value),
      streams: (call) => streams.of(callerOf(call), call.params.entity, call.body, call.signal),
      sources: (call) => streams.sources(callerOf(call), call.signal),
      deletions: (call) => deletions.list(callerOf(call)),
      restore: (call) => deletions.restore(editorOf(app, call), call.params.deletion),
    },
    { trusted: ['createAll', 'changeAll'] },
  );
}
