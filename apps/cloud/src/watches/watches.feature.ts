import { watchesApi } from '@albedo/contract/watches/watches.api';
import type { Postgres } from '@albedo/postgres/postgres';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import { hear } from '../bus/bus.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { memberMoved } from '../members/members.topics.ts';
import { Watches, type WatchesOptions } from './watches.service.ts';
import { WatchesStore } from './watches.store.ts';
import { watchesPart } from './watches.tables.ts';

/** What people follow. */
export function openWatches(of: Omit<WatchesOptions, 'store'> & { postgres: Postgres }): Feature<Watches> {
  const watches = new Watches({ ...of, store: new WatchesStore(of.postgres) });
  return {
    name: 'watches',
    service: watches,
    workgroupPart: { tables: watchesPart },
    hears: [
      hear(memberMoved, async ({ workgroup, userId, isMember }) => {
        if (!isMember) await watches.forget(workgroup, userId);
      }),
    ],
    routes: (app) =>
      bind(app, watchesApi, {
        list: (call) => watches.list(callerOf(call)),
        create: (call) => watches.create(callerOf(call), call.body, managerOf(call)),
        remove: async (call) => {
          await watches.remove(call.workgroup, call.params.watch, managerOf(call));
          return {};
        },
      }),
  };
}
