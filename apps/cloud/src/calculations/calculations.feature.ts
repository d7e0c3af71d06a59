import { calculationsApi } from '@albedo/contract/calculations/calculations.api';
import type { Postgres } from '@albedo/postgres/postgres';
import { whenHeld } from '@albedo/postgres/together';
import { z } from 'zod';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import { hear } from '../bus/bus.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { EntityStreams } from '../entities/entity-streams.service.ts';
import type { History } from '../history/history.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind, type Handlers } from '../http/bind.ts';
import { eventsLate } from '../ingest/ingest.topics.ts';
import { defineJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { Kpis } from '../kpis/kpis.service.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import type { Machines } from '../machines/machines.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { calculationsFindings } from './calculations.findings.ts';
import { calculationsHistory } from './calculations.history.ts';
import { Calculations } from './calculations.service.ts';
import { CalculationsStore } from './calculations.store.ts';
import { calculationsPart } from './calculations.tables.ts';

const RETRY = { times: 3, afterS: 10, atMostS: 120 };

/** Results that are written as records of a table, and kept right. */
export function openCalculations(of: {
  postgres: Postgres;
  telemetry: Telemetry;
  entities: Entities;
  entityStreams: EntityStreams;
  machines: Machines;
  kpis: Kpis;
  workgroups: Workgroups;
  longActions: LongActions;
  audit: Audit;
  sockets: Sockets;
  history: History;
  jobs: Jobs;
}): Feature<Calculations> {
  const { postgres, entities, entityStreams, longActions, sockets, jobs } = of;
  const store = new CalculationsStore(postgres);
  const watching = defineJob({
    name: 'calculations-watch',
    payload: z.object({}),
    limitS: 900,
    retry: RETRY,
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '* * * * *', zone: 'UTC', payload: {} },
    run: ({ signal }) => calculations.runs.watch(signal),
  });
  const working = defineJob({
    name: 'calculations-work',
    payload: z.object({ workgroup: z.string() }),
    limitS: 4 * 3600,
    retry: RETRY,
    oneAtATime: { key: ({ workgroup }) => workgroup, waiting: 'one' },
    sideBySide: 2,
    about: ({ workgroup }) => workgroup,
    run: ({ payload, signal }) => calculations.runs.computeDue(payload.workgroup, signal),
  });
  const forgetting = defineJob({
    name: 'calculations-forget-changes',
    payload: z.object({}),
    limitS: 600,
    retry: RETRY,
    schedule: { cron: '10 3 * * *', zone: 'UTC', payload: {} },
    run: () => store.forgetChanges(),
  });
  const calculations = new Calculations({
    ...of,
    store,
    tell: sockets.tellList,
    wake: async () => void (await whenHeld(() => jobs.send(watching, {}))),
    work: async (workgroup) => void (await jobs.send(working, { workgroup })),
  });
  of.history.announce(calculationsHistory(calculations));
  entityStreams.addCalculated((workgroup) => calculations.calculated(workgroup));
  entities.addUses((workgroup, ids) => calculations.usesOf(workgroup, ids));
  longActions.add(calculations.backfilling);
  return {
    name: 'calculations',
    service: calculations,
    workgroupPart: { tables: calculationsPart },
    findings: [calculationsFindings(store)],
    jobs: (all) => {
      for (const job of [watching, working, forgetting]) all.add(job as never);
    },
    hears: [hear(eventsLate, async (_message, { isOwn }) => (isOwn ? calculations.wake() : undefined))],
    routes: (app) =>
      bind(app, calculationsApi, handlersOf(calculations), { trusted: ['explain', 'preview', 'values'] }),
  };
}

function handlersOf(calculations: Calculations): Handlers<typeof calculationsApi> {
  return {
    list: ({ workgroup }) => calculations.list(workgroup),
    listLegacy: ({ workgroup }) => calculations.list(workgroup),
    create: (call) => calculations.create(call.workgroup, call.body, managerOf(call)),
    createLegacy: (call) => calculations.create(call.workgroup, call.body, managerOf(call)),
    update: (call) =>
      calculations.update(call.workgroup, call.params.calculation, call.body, managerOf(call)),
    remove: async (call) => {
      await calculations.remove(call.workgroup, call.params.calculation, managerOf(call));
      return {};
    },
    backfill: (call) =>
      calculations.backfill(call.workgroup, call.params.calculation, call.body, managerOf(call)),
    values: (call) => calculations.values(callerOf(call), call.params.calculation, call.body, call.signal),
    changes: (call) => calculations.changes(call.workgroup, call.params.calculation),
    explain: (call) => calculations.explain(callerOf(call), call.params.calculation, call.body, call.signal),
    preview: (call) => calculations.preview(callerOf(call), call.body, call.signal),
  };
}
