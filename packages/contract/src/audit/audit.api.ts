import { can, staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { auditChoices, auditPage, auditQuery } from './audit.schema.ts';

export const auditApi = {
  list: {
    method: 'GET',
    url: '/orgs/:wg/audit',
    access: can('audit'),
    summary: 'The audit log of the workgroup, newest first; of a device group only what its devices concern.',
    schema: { params: inWorkgroup, querystring: auditQuery, response: { 200: auditPage } },
  },
  choices: {
    method: 'GET',
    url: '/orgs/:wg/audit/choices',
    access: can('audit'),
    summary: 'The components and actions that stand in the audit log, to filter by.',
    schema: { params: inWorkgroup, response: { 200: auditChoices } },
  },
  provider: {
    method: 'GET',
    url: '/opsteam/audit',
    access: staff,
    summary: 'The audit log of the provider: what concerns no workgroup, such as accounts without one.',
    schema: { querystring: auditQuery, response: { 200: auditPage } },
  },
  providerChoices: {
    method: 'GET',
    url: '/opsteam/audit/choices',
    access: staff,
    summary: 'The components and actions that stand in the audit log of the provider, to filter by.',
    schema: { response: { 200: auditChoices } },
  },
} as const satisfies Api;
