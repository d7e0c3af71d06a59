import { latestValuesApi } from '@albedo/contract/latest-values/latest-values.api';
import { callerOf } from '../access/caller.ts';
import { AppError } from '../errors/app-error.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { LatestValues } from './latest-values.service.ts';

/** The newest values of fields and streams, of one device or of all. */
export function openLatestValues({ telemetry }: { telemetry: Telemetry }): Feature<LatestValues> {
  const values = new LatestValues(telemetry);
  return {
    name: 'latest-values',
    service: values,
    routes: (app) =>
      bind(
        app,
        latestValuesApi,
        {
          ofStream: async (call) => {
            const { device, stream } = call.params;
            const all = await telemetry.for(callerOf(call)).latest(device, call.signal);
            const found = all.find(({ table, source }) => `${table}.${source}` === stream);
            if (!found) throw new AppError('table.not_found', { table: stream });
            return found;
          },
          ofField: (call) => values.ofField(callerOf(call), call.query, call.signal),
          cached: (call) => values.ofStreams(callerOf(call), call.body.streams, call.signal),
        },
        // Ten thousand values pass through no schema on their way out; a test holds the replies to theirs.
        { trusted: ['ofStream', 'ofField', 'cached'] },
      ),
  };
}
