import { callerOf } from '../access/caller.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from './telemetry.service.ts';

/** Answers searches over the socket. */
export function telemetrySockets(sockets: Sockets, telemetry: Telemetry): void {
  sockets.on('search', ({ request, signal, ...call }) => {
    const { table, query, timezone = query.timezone } = request;
    return telemetry.for(callerOf(call)).search(table, { ...query, timezone }, signal);
  });
}
