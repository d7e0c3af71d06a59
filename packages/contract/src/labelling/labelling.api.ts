import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { LABELLING_LIMITS, labelledSource, onLabelling } from './labelling.schema.ts';

export const labellingApi = {
  list: {
    method: 'GET',
    url: '/labelling/:wg',
    access: member,
    summary: 'The sources that have labels or stand below another one.',
    schema: { params: onLabelling, response: { 200: z.array(labelledSource) } },
  },
  save: {
    method: 'PUT',
    url: '/labelling/:wg',
    access: { ...can('coordinate'), unbound: true },
    summary: 'Says how some sources are labelled, all of them or none; the others stay as they are.',
    example: { body: { sources: [] } },
    bodyBytes: 5_000_000,
    schema: {
      params: onLabelling,
      body: z.object({ sources: z.array(labelledSource).max(LABELLING_LIMITS.sources) }),
      response: { 200: z.array(labelledSource) },
    },
  },
} as const satisfies Api;
