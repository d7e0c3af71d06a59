import { exportsApi } from '@albedo/contract/searches/exports.api';
import { searchesApi } from '@albedo/contract/searches/searches.api';
import type { FastifyInstance } from 'fastify';
import { callerOf as accessOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import { bind, type Call } from '../http/bind.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { Exports } from './exports.service.ts';
import type { Schedules } from './schedules.service.ts';
import type { SearchCaller, Searches } from './searches.service.ts';

interface Parts {
  searches: Searches;
  schedules: Schedules;
  exports: Exports;
  telemetry: Telemetry;
}

export function searchesRoutes(app: FastifyInstance, parts: Parts): void {
  const { searches, schedules, exports, telemetry } = parts;
  bind(app, exportsApi, {
    begin: (call) => {
      const reader = telemetry.for(accessOf(call));
      return exports.begin(reader, call.params.table, call.body, managerOf(call));
    },
  });
  bind(app, searchesApi, {
    list: (call) => searches.list(callerOf(call)),
    get: (call) => searches.get(callerOf(call), call.params.search),
    create: (call) => searches.create(callerOf(call), call.body),
    update: (call) => searches.update(callerOf(call), call.params.search, call.body),
    remove: (call) => nothing(searches.remove(callerOf(call), call.params.search)),
    share: (call) => searches.share(callerOf(call), call.params.search, true),
    unshare: (call) => nothing(searches.share(callerOf(call), call.params.search, false)),
    schedule: (call) => schedules.get(callerOf(call), call.params.search),
    setSchedule: (call) => schedules.set(callerOf(call), call.params.search, call.body),
    removeSchedule: (call) => nothing(schedules.remove(callerOf(call), call.params.search)),
    overview: ({ workgroup }) => searches.overview(workgroup),
    removeAny: (call) => nothing(searches.removeAny(callerOf(call), call.params.search)),
    removeSchedules: (call) => nothing(schedules.removeAll(callerOf(call), call.params.search)),
  });
}

const callerOf = (call: Pick<Call, 'workgroup' | 'scope' | 'session' | 'request'>): SearchCaller => ({
  workgroup: call.workgroup,
  by: managerOf(call),
  scope: call.scope,
});

async function nothing(done: Promise<unknown>): Promise<Record<string, never>> {
  await done;
  return {};
}
