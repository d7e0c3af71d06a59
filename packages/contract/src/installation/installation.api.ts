import { z } from 'zod';
import { signedIn, staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { installation, plan } from './installation.schema.ts';

export const installationApi = {
  get: {
    method: 'GET',
    url: '/cloud',
    access: signedIn,
    summary: 'The installation that answers: its version, its region, and what a workgroup may have at most.',
    schema: { response: { 200: installation } },
  },
  plans: {
    method: 'GET',
    url: '/plans',
    access: staff,
    summary: 'The plans that a new workgroup can have, in the order of the operator.',
    schema: { response: { 200: z.array(plan) } },
  },
} as const satisfies Api;
