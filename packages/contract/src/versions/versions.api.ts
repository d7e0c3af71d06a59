import { staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { versions } from './versions.schema.ts';

export const versionsApi = {
  get: {
    method: 'GET',
    url: '/opsteam/versions',
    access: staff,
    summary: 'The version of everything that runs.',
    schema: { response: { 200: versions } },
  },
} as const satisfies Api;
