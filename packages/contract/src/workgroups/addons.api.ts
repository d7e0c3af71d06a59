import { z } from 'zod';
import { addonManager } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { addonSettings, availableAddon, newAddon, onAddon } from './addons.schema.ts';
import { inWorkgroup } from './workgroups.schema.ts';

const all = { 200: z.array(availableAddon) };

export const addonsApi = {
  available: {
    method: 'GET',
    url: '/orgs/:wg/addons-available',
    access: addonManager,
    summary: 'Every addon there is, and which of them the workgroup has; those alone stand in GET /orgs.',
    schema: { params: inWorkgroup, response: all },
  },
  add: {
    method: 'POST',
    url: '/orgs/:wg/addons',
    access: addonManager,
    summary: 'Enables an addon for the workgroup.',
    example: { body: { id: 'schedules' } },
    schema: { params: inWorkgroup, body: newAddon, response: all },
  },
  update: {
    method: 'PUT',
    url: '/orgs/:wg/addons/:addon',
    access: addonManager,
    summary: 'Changes the settings of an addon that the workgroup has.',
    example: { body: { settings: {} } },
    schema: { params: onAddon, body: z.object({ settings: addonSettings }), response: all },
  },
  remove: {
    method: 'DELETE',
    url: '/orgs/:wg/addons/:addon',
    access: addonManager,
    summary: 'Takes an addon away; what was made with it is kept.',
    schema: { params: onAddon, response: all },
  },
} as const satisfies Api;
