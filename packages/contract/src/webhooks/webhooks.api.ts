import { z } from 'zod';
import { can } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  newWebhook,
  onWebhook,
  onWebhookDelivery,
  savedWebhook,
  webhook,
  webhookDelivery,
  webhookTest,
} from './webhooks.schema.ts';

// Webhooks report about the whole workgroup, so members of a device group can neither create nor see them.
const access = { ...can('coordinate'), unbound: true } as const;
const HOOK = { name: 'Ticket system', events: ['incident.opened', 'incident.cleared'] };

export const webhooksApi = {
  list: {
    method: 'GET',
    url: '/webhooks/:wg',
    access,
    summary: 'The webhooks of the workgroup, by name.',
    schema: { params: inWorkgroup, response: { 200: z.array(webhook) } },
  },
  create: {
    method: 'POST',
    url: '/webhooks/:wg',
    access,
    summary: 'Makes a webhook; the secret of its signature is answered once.',
    example: { body: { ...HOOK, address: 'https://hooks.example.org/albedo' } },
    schema: { params: inWorkgroup, body: newWebhook, response: { 200: savedWebhook } },
  },
  update: {
    method: 'PUT',
    url: '/webhooks/:wg/:webhook',
    access,
    summary: 'Changes a webhook, or turns it on again; its address stays where it is left out.',
    example: { body: HOOK },
    schema: { params: onWebhook, body: newWebhook, response: { 200: savedWebhook } },
  },
  remove: {
    method: 'DELETE',
    url: '/webhooks/:wg/:webhook',
    access,
    summary: 'Deletes a webhook with what waits for it. Deleting it again changes nothing.',
    schema: { params: onWebhook, response: { 200: z.object({}) } },
  },
  renewSecret: {
    method: 'POST',
    url: '/webhooks/:wg/:webhook/secret',
    access,
    summary: 'Makes a new secret, answered once; for a day messages are signed with the old one as well.',
    schema: { params: onWebhook, response: { 200: savedWebhook } },
  },
  test: {
    method: 'POST',
    url: '/webhooks/:wg/:webhook/test',
    access,
    summary: 'Sends a test at once, and says how that went.',
    schema: { params: onWebhook, response: { 200: webhookTest } },
    ratePerMinute: 20,
  },
  deliveries: {
    method: 'GET',
    url: '/webhooks/:wg/:webhook/deliveries',
    access,
    summary: 'The last 100 messages of a webhook with their answers, the newest first.',
    schema: { params: onWebhook, response: { 200: z.array(webhookDelivery) } },
  },
  again: {
    method: 'POST',
    url: '/webhooks/:wg/:webhook/deliveries/:delivery/again',
    access,
    summary: 'Has a message sent again, under the id that it has.',
    schema: { params: onWebhookDelivery, response: { 200: webhookDelivery } },
    ratePerMinute: 60,
  },
} as const satisfies Api;
