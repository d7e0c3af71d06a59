import { z } from 'zod';
import { adminCan, can, canInPerson, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { longAction } from '../long-actions/long-actions.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  dataTable,
  dataTableDetails,
  fieldWords,
  forecastsChoice,
  legalHold,
  newLegalHold,
  newRetention,
  onDataTable,
  onLegalHold,
  onMonth,
  retentionPreview,
  retentionQuestion,
  storageUse,
  tableStorage,
} from './data-tables.schema.ts';

// Coordinators get this far; the service then lets only owners in.
const owners = { ...adminCan('coordinate'), unbound: true, fresh: true } as const;

export const dataTablesApi = {
  list: {
    method: 'GET',
    url: '/dataTables/:wg',
    access: can('coordinate'),
    summary: 'The tables that the caller can see, with what each of them takes, by name.',
    schema: { params: inWorkgroup, response: { 200: z.array(dataTable) } },
  },
  get: {
    method: 'GET',
    url: '/dataTables/:wg/:table',
    access: can('coordinate'),
    summary: 'What a table takes, and its fields with the types that devices sent.',
    schema: { params: onDataTable, response: { 200: dataTableDetails } },
  },
  retain: {
    method: 'PUT',
    url: '/dataTables/:wg/:table/retention',
    access: { ...canInPerson('coordinate'), unbound: true, fresh: true },
    summary: 'How long events of a table are kept; older ones are deleted every night. Only owners may.',
    example: { body: { retentionDays: 1825 } },
    schema: { params: onDataTable, body: newRetention, response: { 200: newRetention } },
  },
  setForecasts: {
    method: 'PUT',
    url: '/dataTables/:wg/:table/forecasts',
    access: { ...can('coordinate'), unbound: true },
    summary:
      'Whether a table holds forecasts: then values stand at their own times; else those more than a day ahead get the time of their arrival.',
    example: { body: { holdsForecasts: true } },
    schema: { params: onDataTable, body: forecastsChoice, response: { 200: forecastsChoice } },
  },
  remove: {
    method: 'DELETE',
    url: '/dataTables/:wg/:table',
    access: { ...canInPerson('coordinate'), unbound: true, fresh: true },
    summary: 'Deletes every event of a table; `phrase` repeats its name. Only owners may.',
    example: { body: { phrase: 'inverter' } },
    schema: {
      params: onDataTable,
      body: z.object({ phrase: z.string() }),
      response: { 200: longAction },
    },
  },
  storage: {
    method: 'GET',
    url: '/storage/:wg',
    access: adminCan('coordinate'),
    summary:
      'What the events take that the caller can see: by table, device and month, and where that leads.',
    schema: { params: inWorkgroup, response: { 200: storageUse } },
  },
  retainAll: {
    method: 'PUT',
    url: '/storage/:wg/retention',
    access: owners,
    summary:
      'How long events of tables without a retention of their own are kept; null keeps them for ever. Only owners may.',
    example: { body: { retentionDays: 1825 } },
    schema: { params: inWorkgroup, body: newRetention, response: { 200: newRetention } },
  },
  previewRetention: {
    method: 'GET',
    url: '/storage/:wg/retention',
    access: { ...adminCan('coordinate'), unbound: true },
    summary: 'Which events would be deleted in the next night if those of so many days were kept.',
    example: { query: { days: 1825 } },
    isQuery: true,
    schema: { params: inWorkgroup, querystring: retentionQuestion, response: { 200: retentionPreview } },
  },
  tableStorage: {
    method: 'GET',
    url: '/storage/:wg/tables/:table',
    access: { ...adminCan('coordinate'), unbound: true },
    summary: 'The months of a table, those that were dropped, and the legal holds on it.',
    isQuery: true,
    schema: { params: onDataTable, response: { 200: tableStorage } },
  },
  dropMonth: {
    method: 'DELETE',
    url: '/storage/:wg/tables/:table/months/:month',
    access: owners,
    summary:
      'Drops a month (its first day in UTC) of a table for good; `phrase` repeats the table and the month, such as `inverter 2026-03`. Only owners may.',
    example: { body: { phrase: 'inverter 2026-03' } },
    schema: { params: onMonth, body: z.object({ phrase: z.string() }), response: { 200: longAction } },
  },
  holds: {
    method: 'GET',
    url: '/storage/:wg/holds',
    access: { ...adminCan('coordinate'), unbound: true },
    summary: 'The legal holds of the workgroup, by table and month.',
    schema: { params: inWorkgroup, response: { 200: z.array(legalHold) } },
  },
  hold: {
    method: 'POST',
    url: '/storage/:wg/holds',
    access: owners,
    summary: 'Places a legal hold: what it is on is deleted by nobody and by no retention. Only owners may.',
    example: { body: { table: 'inverter', month: '2026-03-01', reason: 'Claim of the insurer' } },
    schema: { params: inWorkgroup, body: newLegalHold, response: { 200: legalHold } },
  },
  releaseHold: {
    method: 'DELETE',
    url: '/storage/:wg/holds/:hold',
    access: owners,
    summary: 'Releases a legal hold. Only owners may.',
    schema: { params: onLegalHold, response: { 200: z.object({}) } },
  },
  words: {
    method: 'GET',
    url: '/dataFields/:wg',
    access: member,
    summary: 'What fields are called where people see them, and their units.',
    schema: { params: inWorkgroup, response: { 200: z.array(fieldWords) } },
  },
  setWords: {
    method: 'PUT',
    url: '/dataFields/:wg',
    access: { ...can('coordinate'), unbound: true },
    summary: 'Says what a field is called where people see it; null for what it is called as sent.',
    example: {
      body: { table: 'inverter', field: 'ac_power', displayName: 'AC power', units: 'kW' },
    },
    schema: { params: inWorkgroup, body: fieldWords, response: { 200: fieldWords } },
  },
} as const satisfies Api;
