import { z } from 'zod';
import { apiTokenBearer, can, canInPerson } from '../access/access.ts';
import { bulk, bulkReply } from '../http/bulk.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { apiToken, issuedApiToken, newApiToken, onApiToken } from './api-tokens.schema.ts';

export const apiTokensApi = {
  list: {
    method: 'GET',
    url: '/orgs/:wg/api-tokens',
    access: can('manageAccess'),
    summary:
      'The API tokens of the workgroup without their secrets, newest first; expired and revoked ones too.',
    schema: { params: inWorkgroup, response: { 200: z.array(apiToken) } },
  },
  create: {
    method: 'POST',
    url: '/orgs/:wg/api-tokens',
    access: { ...canInPerson('manageAccess'), fresh: true },
    summary: 'Makes an API token; its secret is in this answer and nowhere else.',
    example: { body: { owner: 'A partner', email: 'partner@example.org', expiry: '7 days' } },
    schema: { params: inWorkgroup, body: newApiToken, response: { 200: issuedApiToken } },
  },
  update: {
    method: 'PUT',
    url: '/orgs/:wg/api-tokens/:apiToken',
    access: can('manageAccess'),
    summary: 'Allows or stops renewals of an API token.',
    example: { body: { canRenew: false } },
    schema: { params: onApiToken, body: z.object({ canRenew: z.boolean() }), response: { 200: apiToken } },
  },
  revoke: {
    method: 'DELETE',
    url: '/orgs/:wg/api-tokens/:apiToken',
    access: can('manageAccess'),
    summary: 'Revokes an API token and every renewal of it at once.',
    schema: { params: onApiToken, response: { 200: apiToken } },
  },
  revokeSeveral: {
    method: 'POST',
    url: '/orgs/:wg/api-tokens/revoke',
    access: can('manageAccess'),
    summary: 'Revokes several API tokens; one that fails does not hold up the others.',
    example: { body: { ids: ['5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11'] } },
    schema: { params: inWorkgroup, body: bulk, response: { 200: bulkReply } },
  },
  renew: {
    method: 'GET',
    url: '/token/renew',
    access: apiTokenBearer,
    summary: 'Answers a new token with a later expiry for an API token that can renew.',
    schema: { response: { 200: z.object({ token: z.string() }) } },
    ratePerMinute: 30,
  },
} as const satisfies Api;
