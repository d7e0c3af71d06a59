import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { incidentSpan } from './incident-span.schema.ts';
import {
  alarmLoad,
  incident,
  incidentDetail,
  incidentHistory,
  onIncident,
  shelf,
  someIncidents,
} from './incidents.schema.ts';

const answering = can('coordinate', 'controlDevices');
const SPAN = { from: 1_767_225_600_000, to: 1_767_830_400_000 };
const ID = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';

export const incidentsApi = {
  active: {
    method: 'GET',
    url: '/incidents/:wg',
    access: member,
    summary: 'What is wrong now: open incidents, the gravest and most costly first.',
    schema: { params: inWorkgroup, response: { 200: z.array(incident) } },
  },
  history: {
    method: 'GET',
    url: '/incidents/:wg/history',
    access: member,
    summary: 'Incidents of a time, open and closed, the newest first.',
    example: { query: SPAN },
    schema: { params: inWorkgroup, querystring: incidentHistory, response: { 200: z.array(incident) } },
  },
  load: {
    method: 'GET',
    url: '/incidents/:wg/load',
    access: member,
    summary: 'How many alarms people get, against EEMUA 191 and ISA-18.2, and which alerts make the most.',
    example: { query: SPAN },
    schema: {
      params: inWorkgroup,
      querystring: incidentSpan,
      response: { 200: alarmLoad },
    },
  },
  get: {
    method: 'GET',
    url: '/incidents/:wg/:incident',
    access: member,
    summary: 'One incident with its timeline, what to do and the signal that it is about.',
    schema: { params: onIncident, response: { 200: incidentDetail } },
  },
  acknowledge: {
    method: 'PUT',
    url: '/incidents/:wg/:incident/acknowledge',
    access: answering,
    summary: 'Adds the caller to those who acknowledged the incident.',
    schema: { params: onIncident, response: { 200: incident } },
  },
  acknowledgeAll: {
    method: 'PUT',
    url: '/incidents/:wg/acknowledge',
    access: answering,
    summary:
      'Adds the caller to those who acknowledged these incidents; unknown and closed ones are left out.',
    example: { body: { ids: [ID] } },
    schema: {
      params: inWorkgroup,
      body: someIncidents,
      response: { 200: z.object({ acknowledged: z.number().int() }) },
    },
  },
  note: {
    method: 'POST',
    url: '/incidents/:wg/:incident/notes',
    access: answering,
    summary: 'Writes a note into the timeline of an incident.',
    example: { body: { text: 'Called the site: the breaker was off.' } },
    schema: {
      params: onIncident,
      body: z.strictObject({ text: z.string().trim().min(1, 'Required').max(2000) }),
      response: { 200: incidentDetail },
    },
  },
  shelve: {
    method: 'PUT',
    url: '/incidents/:wg/:incident/shelve',
    access: answering,
    summary: 'Silences an incident until a time, with a reason.',
    example: { body: { reason: 'Spare part is on its way', until: 1_767_830_400_000 } },
    schema: { params: onIncident, body: shelf, response: { 200: incident } },
  },
  unshelve: {
    method: 'DELETE',
    url: '/incidents/:wg/:incident/shelve',
    access: answering,
    summary: 'Takes an incident off the shelf; what still holds is told at once.',
    schema: { params: onIncident, response: { 200: incident } },
  },
} as const satisfies Api;
