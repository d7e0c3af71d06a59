import { z } from 'zod';
import { staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { longAction } from '../long-actions/long-actions.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { newWorkgroup, workgroupEntry } from './workgroup-admin.schema.ts';

export const workgroupAdminApi = {
  list: {
    method: 'GET',
    url: '/opsteam/workgroups',
    access: staff,
    summary: 'Every workgroup with the number of its members and devices.',
    schema: { response: { 200: z.array(workgroupEntry) } },
  },
  create: {
    method: 'POST',
    url: '/orgs',
    access: staff,
    summary: 'Makes a workgroup and invites its first owner by e-mail.',
    example: { body: { orgDisplay: 'Solar North', ownerEmail: 'ann@example.org' } },
    schema: { body: newWorkgroup, response: { 200: workgroupEntry } },
  },
  suspend: {
    method: 'PUT',
    url: '/opsteam/workgroups/:wg',
    access: staff,
    summary: 'Keeps everybody out of a workgroup, or lets them in again; data goes on being stored.',
    example: { body: { suspended: false } },
    schema: {
      params: inWorkgroup,
      body: z.object({ suspended: z.boolean() }),
      response: { 200: workgroupEntry },
    },
  },
  export: {
    method: 'POST',
    url: '/opsteam/workgroups/:wg/export',
    access: { ...staff, fresh: true },
    summary:
      'Begins to put all of a workgroup into an archive: records as JSON, telemetry as lines of JSON, secrets left out.',
    schema: { params: inWorkgroup, response: { 200: longAction } },
    ratePerMinute: 10,
  },
  remove: {
    method: 'DELETE',
    url: '/opsteam/workgroups/:wg',
    access: { ...staff, fresh: true },
    summary: 'Closes a workgroup and begins to delete everything in it; `phrase` repeats its display name.',
    example: { body: { phrase: 'Solar North' } },
    schema: {
      params: inWorkgroup,
      body: z.object({ phrase: z.string() }),
      response: { 200: longAction },
    },
  },
} as const satisfies Api;
