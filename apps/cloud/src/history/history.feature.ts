import { historyApi } from '@albedo/contract/history/history.api';
import type { HistoryKind } from '@albedo/contract/history/history.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { History } from './history.service.ts';
import { HistoryStore } from './history.store.ts';
import { historyPart } from './history.tables.ts';

/** The versions of whatever is announced to it. */
export function openHistory({ postgres, log }: { postgres: Postgres; log: Logger }): Feature<History> {
  const history = new History(new HistoryStore(postgres), log);
  return {
    name: 'history',
    service: history,
    workgroupPart: { tables: historyPart },
    routes: (app) =>
      bind(app, historyApi, {
        list: (call) => history.list(callerOf(call), thingOf(call.params)),
        get: (call) => history.get(callerOf(call), thingOf(call.params), call.params.version),
        restore: (call) =>
          history.restore(callerOf(call), thingOf(call.params), call.params.version, managerOf(call)),
      }),
  };
}

const thingOf = ({ thing: kind, id }: { thing: HistoryKind; id: string }) => ({ kind, id });
