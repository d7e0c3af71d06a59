import { z } from 'zod';
import { staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { damage } from './store-checks.schema.ts';

export const storeChecksApi = {
  damages: {
    method: 'GET',
    url: '/opsteam/damages',
    access: staff,
    summary: 'What is damaged on the disk of the server, newest first.',
    schema: { response: { 200: z.array(damage) } },
  },
} as const satisfies Api;
