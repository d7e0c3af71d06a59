import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { bind } from '../http/bind.ts';
import type { Telemetry } from './telemetry.service.ts';

export function telemetryRoutes(app: FastifyInstance, telemetry: Telemetry): void {
  bind(
    app,
    telemetryApi,
    {
      tables: (call) => telemetry.for(callerOf(call)).tables(),
      table: (call) => telemetry.for(callerOf(call)).table(call.params.table),
      search: (call) => {
        const { fields, ...rest } = call.query;
        const query = { ...rest, ...(fields.length > 0 ? { fields } : {}) };
        return telemetry.for(callerOf(call)).search(call.params.table, query, call.signal);
      },
      series: (call) => telemetry.for(callerOf(call)).series(call.body, call.signal),
    },
    { trusted: ['search', 'series'] },
  );
}
