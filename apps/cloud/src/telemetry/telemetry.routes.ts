import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import type { FastifyInstance } from 'fastify';
import { signedIn } from '../access/signed-in.ts';
import { demandTables, visible } from '../audit/audit.policy.ts';
import { bind } from '../http/bind.ts';
import type { TelemetryStore } from './telemetry.store.ts';

export function telemetryRoutes(app: FastifyInstance, telemetry: TelemetryStore): void {
  bind(
    app,
    telemetryApi,
    {
      tables: async (call) => {
        const tables = await telemetry.tables(call.workgroup, call.scope);
        return visible(signedIn(call), call.workgroup, tables, (table) => table);
      },
      table: (call) => {
        demandTables(signedIn(call), call.workgroup, [call.params.table]);
        return telemetry.table(call.workgroup, call.scope, call.params.table);
      },
      search: (call) => {
        const { workgroup, scope, params, query, signal } = call;
        demandTables(signedIn(call), workgroup, [params.table]);
        const { fields, ...rest } = query;
        return telemetry.search(
          workgroup,
          scope,
          params.table,
          { ...rest, ...(fields.length > 0 ? { fields } : {}) },
          signal,
        );
      },
      series: (call) => {
        const { workgroup, scope, body, signal } = call;
        const tables = body.series.map(({ table }) => table);
        demandTables(signedIn(call), workgroup, tables);
        return telemetry.series(workgroup, scope, body, signal);
      },
    },
    { trusted: ['search', 'series'] },
  );
}
