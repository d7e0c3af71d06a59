import { z } from 'zod';
import { member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { trend, trendsQuery } from './trends.schema.ts';

export const trendsApi = {
  list: {
    method: 'POST',
    url: '/trends/:wg',
    isQuery: true,
    access: member,
    summary:
      'The last 24 hours of up to 50 devices, as a list draws them: the power of plants, the CPU of machines. A device without either is missing.',
    example: { body: { devices: ['5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11'] } },
    schema: { params: inWorkgroup, body: trendsQuery, response: { 200: z.array(trend) } },
  },
} as const satisfies Api;
