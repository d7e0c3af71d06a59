import { z } from 'zod';
import { can } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  acceptance,
  inTask,
  jobChange,
  jobRun,
  jobsScheduled,
  newJobs,
  newTask,
  onSecurityJob,
  securityJob,
  securityResult,
  securityTaskEntry,
} from './security-services.schema.ts';

const access = can('manageDevices');
const SOME_ID = '6f9619ff-8b86-4d01-b42d-00c04fc964ff';

export const securityServicesApi = {
  tasks: {
    method: 'GET',
    url: '/process/:wg/task',
    access,
    summary: 'The kinds of scans that there are: of public addresses, and of the networks of devices.',
    schema: { params: inWorkgroup, response: { 200: z.array(securityTaskEntry) } },
  },
  task: {
    method: 'POST',
    url: '/process/:wg/task',
    access,
    summary: 'Answers the kind of scans that is named; every workgroup has it already.',
    example: { body: { task: 'internal' } },
    schema: { params: inWorkgroup, body: newTask, response: { 200: securityTaskEntry } },
  },
  jobs: {
    method: 'GET',
    url: '/process/:wg/task/:task/jobs',
    access,
    summary: 'The devices that are scanned or have been, by name, with what their last scan came to.',
    schema: { params: inTask, response: { 200: z.array(securityJob) } },
  },
  create: {
    method: 'POST',
    url: '/process/:wg/task/:task/jobs',
    access,
    summary: 'Has devices scanned every Saturday at 00:00 UTC, or not any more, and answers their jobs.',
    example: { body: { devices: [SOME_ID], enabled: true } },
    schema: { params: inTask, body: newJobs, response: { 200: z.array(securityJob) } },
  },
  result: {
    method: 'GET',
    url: '/process/:wg/task/:task/jobs/:securityJob',
    access,
    summary: 'What the scans of a device found: hosts or ports with what is new of them, and the scans.',
    schema: { params: onSecurityJob, response: { 200: securityResult } },
  },
  update: {
    method: 'PUT',
    url: '/process/:wg/task/:task/jobs/:securityJob',
    access,
    summary: 'Has one device scanned every Saturday at 00:00 UTC, or not any more.',
    example: { body: { enabled: true } },
    schema: { params: onSecurityJob, body: jobChange, response: { 200: securityJob } },
  },
  run: {
    method: 'POST',
    url: '/process/:wg/task/:task/jobs/:securityJob/run',
    access,
    summary:
      'Puts this job and those of `jobIds` at the end of the queue; one that waits or runs stays there.',
    example: { body: { jobIds: [SOME_ID] } },
    schema: { params: onSecurityJob, body: jobRun, response: { 200: jobsScheduled } },
  },
  accept: {
    method: 'PUT',
    url: '/process/:wg/task/:task/jobs/:securityJob/findings',
    access,
    summary: 'Accepts findings with a note, or takes that back.',
    example: { body: { keys: ['00:1b:21:3a:4f:10'], note: 'The new logger.' } },
    schema: { params: onSecurityJob, body: acceptance, response: { 200: securityResult } },
  },
} as const satisfies Api;
