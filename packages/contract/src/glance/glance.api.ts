import { member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { glance } from './glance.schema.ts';

export const glanceApi = {
  get: {
    method: 'GET',
    url: '/glance/:wg',
    access: member,
    summary:
      'How the plants of the workgroup do, the worst first: energy against what their light would give, what is wrong, and what it costs.',
    schema: { params: inWorkgroup, response: { 200: glance } },
  },
} as const satisfies Api;
