import { z } from 'zod';
import { can, member, signedIn } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  channel,
  channelTest,
  delivery,
  escalation,
  heartbeat,
  newChannel,
  newEscalation,
  newHeartbeat,
  newPushSubscription,
  newRota,
  notifiable,
  onChannel,
  onEscalation,
  onRota,
  pushState,
  rota,
  savedChannel,
} from './notifications.schema.ts';

const writing = { ...can('coordinate'), unbound: true } as const;
const done = { 200: z.object({}) };
const USER = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';
const EMAIL = { kind: 'email', name: 'Field service', emails: ['service@example.org'] } as const;
const ESCALATION = { name: 'At night', steps: [{ afterMinutes: 0, users: [USER] }] };
const ROTA = {
  name: 'On call',
  zone: 'Europe/Rome',
  members: [USER],
  startsOn: '2026-03-02',
  handover: '08:30',
};

export const notificationsApi = {
  channels: {
    method: 'GET',
    url: '/notifications/:wg/channels',
    access: can('coordinate'),
    summary: 'The channels of the workgroup, by name.',
    schema: { params: inWorkgroup, response: { 200: z.array(channel) } },
  },
  createChannel: {
    method: 'POST',
    url: '/notifications/:wg/channels',
    access: writing,
    summary: 'Makes a channel; the secret of its signature is answered once.',
    example: { body: EMAIL },
    schema: { params: inWorkgroup, body: newChannel, response: { 200: savedChannel } },
  },
  updateChannel: {
    method: 'PUT',
    url: '/notifications/:wg/channels/:channel',
    access: writing,
    summary: 'Changes a channel; address and token stay where they are left out.',
    example: { body: EMAIL },
    schema: { params: onChannel, body: newChannel, response: { 200: savedChannel } },
  },
  removeChannel: {
    method: 'DELETE',
    url: '/notifications/:wg/channels/:channel',
    access: writing,
    summary: 'Deletes a channel. Deleting it again changes nothing.',
    schema: { params: onChannel, response: done },
  },
  testChannel: {
    method: 'POST',
    url: '/notifications/:wg/channels/:channel/test',
    access: writing,
    summary: 'Sends a test over a channel, and says how that went.',
    schema: { params: onChannel, response: { 200: channelTest } },
    ratePerMinute: 20,
  },
  people: {
    method: 'GET',
    url: '/notifications/:wg/people',
    access: writing,
    summary: 'The members of the workgroup by name, for those who decide who is told what.',
    schema: { params: inWorkgroup, response: { 200: z.array(notifiable) } },
  },
  deliveries: {
    method: 'GET',
    url: '/notifications/:wg/deliveries',
    access: writing,
    summary: 'The last 100 messages to webhooks, the newest first.',
    schema: { params: inWorkgroup, response: { 200: z.array(delivery) } },
  },
  heartbeat: {
    method: 'GET',
    url: '/notifications/:wg/heartbeat',
    access: can('coordinate'),
    summary: 'The outbound heartbeat, by which a watchdog outside knows that we are alive.',
    schema: { params: inWorkgroup, response: { 200: heartbeat } },
  },
  setHeartbeat: {
    method: 'PUT',
    url: '/notifications/:wg/heartbeat',
    access: writing,
    summary: 'Changes the outbound heartbeat.',
    example: { body: { enabled: false, everyMinutes: 5 } },
    schema: { params: inWorkgroup, body: newHeartbeat, response: { 200: heartbeat } },
  },
  escalations: {
    method: 'GET',
    url: '/escalations/:wg',
    access: can('coordinate'),
    summary: 'The escalations of the workgroup, by name.',
    schema: { params: inWorkgroup, response: { 200: z.array(escalation) } },
  },
  createEscalation: {
    method: 'POST',
    url: '/escalations/:wg',
    access: writing,
    summary: 'Makes an escalation.',
    example: { body: ESCALATION },
    schema: { params: inWorkgroup, body: newEscalation, response: { 200: escalation } },
  },
  updateEscalation: {
    method: 'PUT',
    url: '/escalations/:wg/:escalation',
    access: writing,
    summary: 'Changes an escalation; what runs goes on by the new one.',
    example: { body: ESCALATION },
    schema: { params: onEscalation, body: newEscalation, response: { 200: escalation } },
  },
  removeEscalation: {
    method: 'DELETE',
    url: '/escalations/:wg/:escalation',
    access: writing,
    summary: 'Deletes an escalation. Deleting it again changes nothing.',
    schema: { params: onEscalation, response: done },
  },
  rotas: {
    method: 'GET',
    url: '/rotas/:wg',
    access: member,
    summary: 'Who is on call now and next, by the name of the rota, with the shifts and gaps of four weeks.',
    schema: { params: inWorkgroup, response: { 200: z.array(rota) } },
  },
  createRota: {
    method: 'POST',
    url: '/rotas/:wg',
    access: writing,
    summary: 'Makes a rota.',
    example: { body: ROTA },
    schema: { params: inWorkgroup, body: newRota, response: { 200: rota } },
  },
  updateRota: {
    method: 'PUT',
    url: '/rotas/:wg/:rota',
    access: writing,
    summary: 'Changes a rota, with its overrides.',
    example: { body: ROTA },
    schema: { params: onRota, body: newRota, response: { 200: rota } },
  },
  removeRota: {
    method: 'DELETE',
    url: '/rotas/:wg/:rota',
    access: writing,
    summary: 'Deletes a rota. Deleting it again changes nothing.',
    schema: { params: onRota, response: done },
  },
  push: {
    method: 'GET',
    url: '/me/push',
    access: signedIn,
    summary: 'The browsers in which the signed-in user gets push messages, and the key that a browser needs.',
    schema: { response: { 200: pushState } },
  },
  subscribe: {
    method: 'POST',
    url: '/me/push',
    access: signedIn,
    summary: 'Has push messages sent to a browser of the signed-in user.',
    example: {
      body: {
        endpoint: 'https://push.example.org/send/1',
        keys: { p256dh: 'B'.padEnd(87, 'A'), auth: 'A'.repeat(22) },
      },
    },
    schema: { body: newPushSubscription, response: { 200: pushState } },
  },
  unsubscribe: {
    method: 'DELETE',
    url: '/me/push/:subscription',
    access: signedIn,
    summary: 'Ends push messages to a browser. Ending it again changes nothing.',
    schema: { params: z.object({ subscription: z.uuid() }), response: { 200: pushState } },
  },
  testPush: {
    method: 'POST',
    url: '/me/push/test',
    access: signedIn,
    summary: 'Sends a test to every browser of the signed-in user.',
    schema: { response: { 200: z.object({ sent: z.number().int() }) } },
    ratePerMinute: 10,
  },
} as const satisfies Api;
