import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import type { FastifyInstance } from 'fastify';
import { bind } from '../http/bind.ts';
import type { TelemetryStore } from './telemetry.store.ts';

export function telemetryRoutes(app: FastifyInstance, telemetry: TelemetryStore): void {
  bind(
    app,
    telemetryApi,
    {
      tables: ({ workgroup }) => telemetry.tables(workgroup),
      table: ({ workgroup, params }) => telemetry.table(workgroup, params.table),
      search: ({ workgroup, params, query, signal }) => {
        const { fields, ...rest } = query;
        return telemetry.search(
          workgroup,
          params.table,
          { ...rest, ...(fields.length > 0 ? { fields } : {}) },
          signal,
        );
      },
      series: ({ workgroup, body, signal }) => telemetry.series(workgroup, body, signal),
    },
    { trusted: ['search', 'series'] },
  );
}
