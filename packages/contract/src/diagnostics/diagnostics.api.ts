import { z } from 'zod';
import { member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { frontendError, pageView } from './diagnostics.schema.ts';

export const diagnosticsApi = {
  frontendAnalytics: {
    method: 'POST',
    url: '/diagnostics/:wg/frontendAnalytics',
    access: member,
    summary: 'Counts that the user looked at a page of the web app.',
    example: { body: { location: '/devices' } },
    schema: { params: inWorkgroup, body: pageView, response: { 200: z.object({}) } },
    ratePerMinute: 120,
  },
  frontendError: {
    method: 'POST',
    url: '/diagnostics/:wg/frontendError',
    access: member,
    summary: 'Notes in the log of the server what went wrong in the browser.',
    example: {
      body: {
        location: '/devices',
        message: 'x is undefined',
        stack: '',
        context: { source: 'window', version: '1' },
      },
    },
    schema: { params: inWorkgroup, body: frontendError, response: { 200: z.object({}) } },
    ratePerMinute: 20,
  },
} as const satisfies Api;
