import { z } from 'zod';
import { signedIn } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { workgroup } from './workgroups.schema.ts';

export const workgroupsApi = {
  list: {
    method: 'GET',
    url: '/orgs',
    access: signedIn,
    summary: 'The workgroups the user is a member of.',
    schema: { response: { 200: z.array(workgroup) } },
  },
} as const satisfies Api;
