import { z } from 'zod';
import { member } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { completeness, quarantined } from './completeness.schema.ts';

export const completenessApi = {
  get: {
    method: 'GET',
    url: '/devices/:wg/:device/completeness',
    access: member,
    summary: 'What the device captured, sent and has stored, stream by stream, and every gap with its cause.',
    schema: { params: onDevice, response: { 200: completeness } },
  },
  quarantine: {
    method: 'GET',
    url: '/devices/:wg/:device/quarantine',
    access: member,
    summary: 'The newest 100 messages of the device that could not be stored, with the reason.',
    schema: { params: onDevice, response: { 200: z.array(quarantined) } },
  },
} as const satisfies Api;
