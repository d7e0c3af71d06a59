import { z } from 'zod';
import { member } from '../access/access.ts';
import { latestSource, onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { seriesKey, tableName } from '../telemetry/telemetry.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { cachedLatestValue, LATEST_STREAMS, latestValue, streamName } from './latest-values.schema.ts';

export const latestValuesApi = {
  ofStream: {
    method: 'GET',
    url: '/devices/:wg/:device/latest/:stream',
    access: member,
    summary: 'The newest event of one source, named `table.source`.',
    schema: { params: onDevice.extend({ stream: streamName }), response: { 200: latestSource } },
  },
  ofField: {
    method: 'GET',
    url: '/devices/:wg/device/latestValues',
    access: member,
    summary:
      'The newest value of a field of every device, or of every source of every device, that the caller can see.',
    example: { query: { table: 'black_box', field: 'CPU usage' } },
    schema: {
      params: inWorkgroup,
      querystring: z.object({
        table: tableName,
        field: z.string().min(1).max(200),
        groupBy: z.enum(['device', 'source']).default('device'),
      }),
      response: { 200: z.array(latestValue) },
    },
  },
  cached: {
    method: 'POST',
    url: '/devices/:wg/device/cachedLatestValues',
    access: member,
    summary:
      'The newest values of many streams in the order in which they were asked for, at most ten seconds old.',
    example: {
      body: {
        streams: [
          {
            device: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11',
            table: 'inverter',
            source: 'inv-1',
            field: 'AC Power',
          },
        ],
      },
    },
    schema: {
      params: inWorkgroup,
      body: z.object({ streams: z.array(seriesKey).min(1).max(LATEST_STREAMS) }),
      response: { 200: z.array(cachedLatestValue) },
    },
  },
} as const satisfies Api;
