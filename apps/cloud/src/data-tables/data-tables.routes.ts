import { dataTablesApi } from '@albedo/contract/data-tables/data-tables.api';
import type { FastifyInstance } from 'fastify';
import { type Caller, callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import { bind } from '../http/bind.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { DataTables } from './data-tables.service.ts';
import type { Drops } from './drops.service.ts';

export function dataTablesRoutes(
  app: FastifyInstance,
  { tables, drops, telemetry }: { tables: DataTables; drops: Drops; telemetry: Telemetry },
): void {
  const reader = (call: Parameters<typeof callerOf>[0]) => telemetry.for(callerOf(call) satisfies Caller);
  bind(app, dataTablesApi, {
    list: (call) => tables.list(reader(call)),
    get: (call) => tables.get(reader(call), call.params.table),
    retain: async (call) => {
      await tables.retain(reader(call), call.params.table, call.body.retentionDays, managerOf(call));
      return call.body;
    },
    setForecasts: async (call) => {
      const { holdsForecasts } = call.body;
      await tables.setForecasts(call.workgroup, call.params.table, holdsForecasts, managerOf(call));
      return call.body;
    },
    remove: (call) => tables.remove(reader(call), call.params.table, call.body.phrase, managerOf(call)),
    storage: (call) => tables.storage(reader(call)),
    retainAll: async (call) => {
      await tables.retainAll(call.workgroup, call.body.retentionDays, managerOf(call));
      return call.body;
    },
    previewRetention: (call) => tables.previewRetention(reader(call), call.query, Date.now()),
    tableStorage: async (call) => {
      const { table } = await tables.get(reader(call), call.params.table);
      return drops.storageOf(reader(call), table);
    },
    dropMonth: (call) => drops.dropMonth(reader(call), { ...call.params, ...call.body }, managerOf(call)),
    holds: ({ workgroup }) => drops.holds(workgroup),
    hold: (call) => drops.hold(call.workgroup, call.body, managerOf(call)),
    releaseHold: async (call) => {
      await drops.release(call.workgroup, call.params.hold, managerOf(call));
      return {};
    },
    words: (call) => tables.words(call.workgroup),
    setWords: (call) => tables.setWords(call.workgroup, call.body, managerOf(call)),
  });
}
