import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  alert,
  alertTest,
  alertTestResult,
  newAlert,
  newSuppression,
  onAlert,
  onSuppression,
  suppression,
} from './alerts.schema.ts';

const writing = { ...can('coordinate'), unbound: true } as const;

const EXAMPLE = {
  name: 'Inverter gives nothing in daylight',
  kind: 'query',
  severity: 'high',
  table: 'inverter',
  conditions: [{ field: 'AC Power', operator: '<', value: 10 }],
  forMinutes: 15,
  clearMinutes: 5,
  window: { kind: 'sun' },
  response: 'Look at the state code of the inverter, then at its DC switch.',
} as const;
const SUPPRESSION = {
  name: 'Mowing on Saturdays',
  reason: 'Strings are shaded',
  zone: 'Europe/Rome',
  startsAt: '2026-04-04T08:00',
  durationMinutes: 240,
  rrule: 'FREQ=WEEKLY;BYDAY=SA',
} as const;

export const alertsApi = {
  list: {
    method: 'GET',
    url: '/alerts/:wg',
    access: member,
    summary: 'The alerts of the workgroup, by name: the rules that make incidents.',
    schema: { params: inWorkgroup, response: { 200: z.array(alert) } },
  },
  create: {
    method: 'POST',
    url: '/alerts/:wg',
    access: writing,
    summary: 'Makes an alert.',
    example: { body: EXAMPLE },
    schema: { params: inWorkgroup, body: newAlert, response: { 200: alert } },
  },
  update: {
    method: 'PUT',
    url: '/alerts/:wg/:alert',
    access: writing,
    summary: 'Puts an alert in the place of what it was; with `version`, only over that one.',
    example: { body: EXAMPLE },
    schema: {
      params: onAlert,
      querystring: z.object({ version: z.coerce.number().int().optional() }),
      body: newAlert,
      response: { 200: alert },
    },
  },
  remove: {
    method: 'DELETE',
    url: '/alerts/:wg/:alert',
    access: writing,
    summary: 'Deletes an alert and closes its incidents. Deleting it again changes nothing.',
    schema: { params: onAlert, response: { 200: z.object({}) } },
  },
  test: {
    method: 'POST',
    url: '/alerts/:wg/test',
    access: writing,
    summary: 'Tries an alert on what is stored: what would have fired, and how often, for up to a year.',
    isQuery: true,
    example: { body: { alert: EXAMPLE, from: 1_767_225_600_000, to: 1_767_830_400_000 } },
    schema: { params: inWorkgroup, body: alertTest, response: { 200: alertTestResult } },
  },
  suppressions: {
    method: 'GET',
    url: '/suppressions/:wg',
    access: member,
    summary: 'Planned times in which alerts stay silent, by name.',
    schema: { params: inWorkgroup, response: { 200: z.array(suppression) } },
  },
  suppress: {
    method: 'POST',
    url: '/suppressions/:wg',
    access: writing,
    summary: 'Plans a time in which alerts stay silent.',
    example: { body: SUPPRESSION },
    schema: { params: inWorkgroup, body: newSuppression, response: { 200: suppression } },
  },
  changeSuppression: {
    method: 'PUT',
    url: '/suppressions/:wg/:suppression',
    access: writing,
    summary: 'Changes a planned suppression.',
    example: { body: SUPPRESSION },
    schema: { params: onSuppression, body: newSuppression, response: { 200: suppression } },
  },
  endSuppression: {
    method: 'DELETE',
    url: '/suppressions/:wg/:suppression',
    access: writing,
    summary: 'Deletes a planned suppression; what still holds is told at once.',
    schema: { params: onSuppression, response: { 200: z.object({}) } },
  },
} as const satisfies Api;
