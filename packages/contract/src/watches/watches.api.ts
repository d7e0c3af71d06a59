import { z } from 'zod';
import { memberInPerson } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { newWatch, onWatch, watch } from './watches.schema.ts';

export const watchesApi = {
  list: {
    method: 'GET',
    url: '/orgs/:wg/watches',
    access: memberInPerson,
    summary: 'What the caller follows in the workgroup, the newest first.',
    schema: { params: inWorkgroup, response: { 200: z.array(watch) } },
  },
  create: {
    method: 'POST',
    url: '/orgs/:wg/watches',
    access: memberInPerson,
    summary: 'Follows something: its incidents reach the caller. Following it again changes the channels.',
    example: { body: { kind: 'device', target: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11' } },
    schema: { params: inWorkgroup, body: newWatch, response: { 200: watch } },
  },
  remove: {
    method: 'DELETE',
    url: '/orgs/:wg/watches/:watch',
    access: memberInPerson,
    summary: 'Follows something no more. Doing it again changes nothing.',
    schema: { params: onWatch, response: { 200: z.object({}) } },
  },
} as const satisfies Api;
