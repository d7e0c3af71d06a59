import { z } from 'zod';
import { can } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { longAction } from '../long-actions/long-actions.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  askedLayout,
  HISTORY_PART_BYTES,
  historyImport,
  historyPlan,
  historyPreview,
  newHistoryImport,
  onHistoryImport,
} from './history-imports.schema.ts';

const change = { ...can('coordinate'), unbound: true } as const;
const received = z.object({ received: z.number().int() });
const plan = {
  device: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11',
  mapping: {
    table: 'inverter',
    source: 'inv_01',
    timeColumn: 'time',
    timezone: 'Europe/Berlin',
    fields: [{ column: 'P_AC', name: 'ac_power', units: 'W' }],
  },
};

export const historyImportsApi = {
  list: {
    method: 'GET',
    url: '/historyImports/:wg',
    access: can('coordinate'),
    summary:
      'The files of history that were brought here and what became of them, newest first; to members of a device group those of one device of theirs.',
    schema: { params: inWorkgroup, response: { 200: z.array(historyImport) } },
  },
  create: {
    method: 'POST',
    url: '/historyImports/:wg',
    access: change,
    summary: 'Announces a file of history; its bytes follow in parts.',
    example: { body: { name: 'inverters-2024.csv', format: 'csv', bytes: 1_200_000 } },
    schema: { params: inWorkgroup, body: newHistoryImport, response: { 200: historyImport } },
  },
  sendPart: {
    method: 'PUT',
    url: '/historyImports/:wg/:historyImport/parts',
    access: change,
    summary:
      'Sends the bytes from `from` on, 8 MB at most. A part that does not go on where the last one ended changes nothing; the answer says what is here.',
    example: { body: { from: 0 } },
    schema: {
      params: onHistoryImport,
      body: z.object({ from: z.coerce.number().int().min(0) }),
      response: { 200: received },
    },
    consumes: 'multipart/form-data',
    files: { count: 1, fileBytes: HISTORY_PART_BYTES, totalBytes: HISTORY_PART_BYTES },
  },
  preview: {
    method: 'POST',
    url: '/historyImports/:wg/:historyImport/preview',
    access: change,
    summary: 'How a file is written, and with a plan the events that all of it becomes; nothing is stored.',
    example: { body: { plan } },
    schema: {
      params: onHistoryImport,
      body: z.object({
        plan: historyPlan.nullable().default(null),
        /** Without a plan: how the file is to be read. */
        layout: askedLayout.nullable().default(null),
      }),
      response: { 200: historyPreview },
    },
  },
  start: {
    method: 'POST',
    url: '/historyImports/:wg/:historyImport/start',
    access: change,
    summary: 'Stores the events of a file.',
    example: { body: { plan } },
    schema: { params: onHistoryImport, body: z.object({ plan: historyPlan }), response: { 200: longAction } },
  },
  undo: {
    method: 'POST',
    url: '/historyImports/:wg/:historyImport/undo',
    access: change,
    summary: 'Takes every event of an import out of the store again.',
    example: { body: {} },
    schema: { params: onHistoryImport, body: z.object({}), response: { 200: longAction } },
  },
  remove: {
    method: 'DELETE',
    url: '/historyImports/:wg/:historyImport',
    access: change,
    summary: 'Forgets a file that nothing is stored of.',
    schema: { params: onHistoryImport, response: { 200: z.object({}) } },
  },
} as const satisfies Api;
