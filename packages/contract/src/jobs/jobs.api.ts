import { z } from 'zod';
import { staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { deadJob, onDeadJob } from './jobs.schema.ts';

const done = { 200: z.object({}) };

export const jobsApi = {
  dead: {
    method: 'GET',
    url: '/opsteam/jobs',
    access: staff,
    summary: 'Jobs that failed and are not tried again, newest first.',
    schema: { response: { 200: z.array(deadJob) } },
  },
  tryAgain: {
    method: 'POST',
    url: '/opsteam/jobs/:job/retry',
    access: staff,
    summary: 'Runs a failed job again.',
    schema: { params: onDeadJob, response: done },
  },
  remove: {
    method: 'DELETE',
    url: '/opsteam/jobs/:job',
    access: staff,
    summary: 'Deletes a failed job; what it was to do stays undone.',
    schema: { params: onDeadJob, response: done },
  },
} as const satisfies Api;
