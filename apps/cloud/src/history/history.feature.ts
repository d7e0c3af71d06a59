import { historyApi } from '@albedo/contract/history/history.api';
import type { HistoryKind } from '@albedo/contract/history/history.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { z } from 'zod';
import { callerOf } from '../access/caller.ts';
import type { EnabledAddons } from '../access/enabled-addons.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { defineJob } from '../jobs/job.ts';
import { editorOf } from './editor.ts';
import { History } from './history.service.ts';
import { HistoryStore } from './history.store.ts';
import { historyPart } from './history.tables.ts';

/** The versions of whatever is announced to it. */
export function openHistory(of: {
  postgres: Postgres;
  enabledAddons: EnabledAddons;
  log: Logger;
}): Feature<History> {
  const history = new History({ ...of, store: new HistoryStore(of.postgres) });
  const forget = defineJob({
    name: 'history-forget-deleted',
    payload: z.object({}),
    limitS: 600,
    retry: { times: 3, afterS: 60, atMostS: 600 },
    schedule: { cron: '40 3 * * *', zone: 'UTC', payload: {} },
    run: () => history.forgetDeleted(),
  });
  return {
    name: 'history',
    service: history,
    workgroupPart: { tables: historyPart },
    jobs: (jobs) => jobs.add(forget),
    routes: (app) =>
      bind(app, historyApi, {
        list: (call) => history.list(callerOf(call), thingOf(call.params)),
        get: (call) => history.get(callerOf(call), thingOf(call.params), call.params.version),
        restore: (call) => history.restore(editorOf(app, call), thingOf(call.params), call.params.version),
        changes: (call) => history.changes(callerOf(call)),
        undo: (call) => history.undo(editorOf(app, call), call.params.change),
      }),
  };
}

const thingOf = ({ thing: kind, id }: { thing: HistoryKind; id: string }) => ({ kind, id });
