import { z } from 'zod';
import { member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { filling } from './demo.schema.ts';

export const demoApi = {
  filling: {
    method: 'GET',
    url: '/demo/:wg/filling',
    access: member,
    summary:
      'How far the demo has come with filling in the past of its plants; null when nothing is on its way.',
    schema: { params: inWorkgroup, response: { 200: z.object({ filling: filling.nullable() }) } },
  },
} as const satisfies Api;
