import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { bind } from '../http/bind.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from './telemetry.service.ts';

export function telemetryRoutes(
  app: FastifyInstance,
  telemetry: Telemetry,
  devices: Pick<DeviceRegistry, 'known'>,
): void {
  bind(
    app,
    telemetryApi,
    {
      tables: (call) => telemetry.for(callerOf(call)).tables(),
      table: (call) =>
        telemetry.for(callerOf(call)).table(call.params.table, { typesOnly: call.query.typesonly }),
      search: (call) => {
        const { csvScroll, csvRows, csvStyle: style, ...query } = call.query;
        const reader = telemetry.for(callerOf(call));
        if (!csvScroll) return reader.search(call.params.table, query, call.signal);
        call.reply.type('text/csv; charset=utf-8');
        // A stream has no pages, so their size says nothing.
        const all = { ...query, rows: csvRows };
        return reader.csv(call.params.table, all, call.signal, style && { style, devices });
      },
      scroll: ({ params, query, signal, ...call }) =>
        telemetry.for(callerOf(call)).scroll(params.table, query.scroll_id, signal),
      series: (call) => telemetry.for(callerOf(call)).series(call.body, call.signal),
    },
    { trusted: ['search', 'scroll', 'series'] },
  );
}
