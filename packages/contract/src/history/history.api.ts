import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { ofChange, ofThing, ofVersion, savedChange, savedVersion, toldVersion } from './history.schema.ts';

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
  changes: {
    method: 'GET',
    url: '/changes/:wg',
    access: { ...can('coordinate'), unbound: true },
    summary: 'The last changes of several things at once, such as bulk edits, the newest first.',
    schema: { params: inWorkgroup, response: { 200: z.array(savedChange) } },
  },
  undo: {
    method: 'POST',
    url: '/changes/:wg/:change/undo',
    access: { ...can('coordinate'), unbound: true },
    summary:
      'Takes a change of several things back, all of them or none: each is saved once more as it was before.',
    schema: { params: ofChange, response: { 200: savedChange.nullable() } },
  },
} as const satisfies Api;
