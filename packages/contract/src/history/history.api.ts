import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { ofThing, ofVersion, savedVersion, toldVersion } from './history.schema.ts';

export const historyApi = {
  list: {
    method: 'GET',
    url: '/history/:wg/:thing/:id',
    access: member,
    summary: 'Every save of a thing that is still kept, the newest first: who saved it and when.',
    schema: { params: ofThing, response: { 200: z.array(savedVersion) } },
  },
  get: {
    method: 'GET',
    url: '/history/:wg/:thing/:id/:version',
    access: member,
    summary: 'One save, with what it changed since the one before.',
    schema: { params: ofVersion, response: { 200: toldVersion } },
  },
  restore: {
    method: 'POST',
    url: '/history/:wg/:thing/:id/:version/restore',
    access: { ...can('coordinate'), unbound: true },
    summary: 'Saves a thing once more as it was then, as its newest version.',
    schema: { params: ofVersion, response: { 200: savedVersion } },
  },
} as const satisfies Api;
