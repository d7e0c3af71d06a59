import { z } from 'zod';
import { anyone, can, staff } from '../access/access.ts';
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
  export: {
    method: 'GET',
    url: '/orgs/:wg/audit/export',
    access: { ...can('audit'), unbound: true },
    summary:
      'The whole audit log of the workgroup as signed lines of JSON: each entry with its hash, which is also of the one before, and a signature below.',
    schema: { params: inWorkgroup },
    produces: 'application/x-ndjson',
    ratePerMinute: 10,
  },
  key: {
    method: 'GET',
    url: '/audit-key',
    access: anyone,
    summary: 'The public key that exports of audit logs are signed with, as PEM.',
    schema: { response: { 200: z.object({ publicKey: z.string() }) } },
  },
  provider: {
    method: 'GET',
    url: '/opsteam/audit',
    access: staff,
    summary: 'The audit log of the provider: what concerns no workgroup, such as accounts without one.',
    schema: { querystring: auditQuery, response: { 200: auditPage } },
  },
  providerExport: {
    method: 'GET',
    url: '/opsteam/audit/export',
    access: staff,
    summary: 'The whole audit log of the provider, as signed lines of JSON.',
    schema: {},
    produces: 'application/x-ndjson',
    ratePerMinute: 10,
  },
  providerChoices: {
    method: 'GET',
    url: '/opsteam/audit/choices',
    access: staff,
    summary: 'The components and actions that stand in the audit log of the provider, to filter by.',
    schema: { response: { 200: auditChoices } },
  },
} as const satisfies Api;
