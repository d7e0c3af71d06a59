import { historyImportsApi } from '@albedo/contract/history-imports/history-imports.api';
import type { HistoryPlan } from '@albedo/contract/history-imports/history-imports.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { z } from 'zod';
import type { DeviceScope } from '../access/device-scope.ts';
import { managerOf } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { Ledger } from '../completeness/completeness.service.ts';
import type { DataTables } from '../data-tables/data-tables.service.ts';
import type { FileStore } from '../files/files.store.ts';
import type { ForecastTables } from '../forecast-tables/forecast-tables.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { receiveForm } from '../http/receive-form.ts';
import { defineJob } from '../jobs/job.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import { longActionCancelled } from '../long-actions/long-actions.topics.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { historyImportsFindings } from './history-imports.findings.ts';
import { importing, undoing } from './history-imports.jobs.ts';
import { HistoryImports } from './history-imports.service.ts';
import { HistoryImportsStore } from './history-imports.store.ts';
import { historyImportsPart } from './history-imports.tables.ts';

/** History of elsewhere: files with events of earlier years, which can be undone. */
export function openHistoryImports(of: {
  postgres: Postgres;
  files: FileStore;
  telemetry: Telemetry;
  registry: DeviceRegistry;
  ledger: Ledger;
  forecasts: ForecastTables;
  longActions: LongActions;
  audit: Audit;
  bus: Bus;
  sockets: Sockets;
  storage: DataTables;
}): Feature<HistoryImports> {
  const options = { ...of, store: new HistoryImportsStore(of.postgres), tell: of.sockets.tellList };
  const kinds = { importing: importing(options), undoing: undoing(options) };
  of.longActions.add(kinds.importing);
  of.longActions.add(kinds.undoing);
  const imports = new HistoryImports({ ...options, ...kinds });
  const visible = async (workgroup: string, scope: DeviceScope) =>
    (await imports.list(workgroup)).filter(({ plan }) => isOf(scope, plan));
  return {
    name: 'history-imports',
    service: imports,
    workgroupPart: {
      tables: historyImportsPart,
      closing: (workgroup) => imports.forgetWorkgroup(workgroup),
    },
    findings: [historyImportsFindings(visible)],
    hears: [hear(longActionCancelled, ({ id }) => imports.cancelled(id))],
    jobs: (jobs) =>
      jobs.add(
        defineJob({
          name: 'history-imports-tidy',
          payload: z.object({}),
          limitS: 600,
          retry: { times: 1, afterS: 60, atMostS: 60 },
          oneAtATime: { key: () => 'all', waiting: 'one' },
          schedule: { cron: '20 2 * * *', zone: 'UTC', payload: {} },
          run: () => imports.tidy(),
        }),
      ),
    routes: (app) =>
      bind(app, historyImportsApi, {
        list: ({ workgroup, scope }) => visible(workgroup, scope),
        create: (call) => imports.create(call.workgroup, call.body, managerOf(call)),
        sendPart: async (call) => {
          const { id } = await imports.demand(call.workgroup, call.params.historyImport);
          const to = { store: of.files, prefix: `history-imports/${id}`, arePieces: true };
          return receiveForm(call, to, async ({ fields, files: [file] }) => ({
            received: await imports.takePart(call.workgroup, id, fields.from, file),
          }));
        },
        preview: ({ workgroup, params, body }) =>
          imports.preview(workgroup, params.historyImport, body.plan, body.layout),
        start: (call) =>
          imports.start(call.workgroup, call.params.historyImport, call.body.plan, managerOf(call)),
        undo: (call) => imports.undo(call.workgroup, call.params.historyImport, managerOf(call)),
        remove: async (call) => {
          await imports.remove(call.workgroup, call.params.historyImport, managerOf(call));
          return {};
        },
      }),
  };
}

/** A file with several devices is only for those who see all of them. */
const isOf = (scope: DeviceScope, plan: HistoryPlan | null): boolean =>
  scope.isAll ||
  (plan?.device != null &&
    plan.deviceColumn === null &&
    scope.has(plan.device) &&
    !scope.sources(plan.device));
