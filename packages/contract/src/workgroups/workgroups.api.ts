import { z } from 'zod';
import { can, member, signedIn } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup, settingValue, workgroup, workgroupChange } from './workgroups.schema.ts';

const settings = z.record(z.string(), z.unknown());

export const workgroupsApi = {
  list: {
    method: 'GET',
    url: '/orgs',
    access: signedIn,
    summary: 'The workgroups the user is a member of.',
    schema: { response: { 200: z.array(workgroup) } },
  },
  update: {
    method: 'PUT',
    url: '/orgs/:wg',
    access: { ...can('coordinate'), unbound: true },
    summary: 'Changes the display name or the theme; a theme of null is that of the host again.',
    example: { body: { displayName: 'Main' } },
    schema: { params: inWorkgroup, body: workgroupChange, response: { 200: workgroup } },
  },
  settings: {
    method: 'GET',
    url: '/orgs/:wg/settings',
    access: member,
    summary: 'The settings of the workgroup by key.',
    schema: { params: inWorkgroup, response: { 200: settings } },
  },
  setSetting: {
    method: 'PUT',
    url: '/orgs/:wg/settings/:key',
    access: { ...can('coordinate'), unbound: true },
    summary: 'Sets one setting and answers all; null takes it away.',
    example: { body: { value: '/devices' } },
    schema: {
      params: inWorkgroup.extend({ key: z.string().max(80) }),
      body: settingValue,
      response: { 200: settings },
    },
  },
} as const satisfies Api;
