import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { longAction } from '../long-actions/long-actions.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { ENERGY_LIMITS } from './energy.names.ts';
import {
  budgetData,
  budgetQuestion,
  budgets,
  dayReview,
  energyConfig,
  energyConfigChange,
  energyConfigPreview,
  energyDay,
  energyDaysQuestion,
  energyImport,
  energyImportPreview,
  energyReport,
  importBody,
  meterData,
  meterDataQuestion,
  meterReadings,
  onEnergyConfig,
  onEnergyImport,
  onReport,
  recompute,
  reportQuestion,
  reportSelection,
  reportSelections,
  stored,
} from './energy.schema.ts';

const writing = { ...can('coordinate'), unbound: true } as const;
const MONTH = { from: '2026-10-01', to: '2026-10-31' };
const importFile = {
  consumes: 'multipart/form-data',
  files: { count: 1, fileBytes: ENERGY_LIMITS.importBytes, totalBytes: ENERGY_LIMITS.importBytes },
} as const;
const importExample = { body: { plan: '{"kind":"meter","granularity":"day","times":"start"}' } };

export const energyApi = {
  report: {
    method: 'GET',
    url: '/energy/:wg/reports/:report',
    access: member,
    summary:
      'A report over days: sites or devices, a device or a source, with totals, series and why a figure is not there. As JSON, or as CSV with the same rows.',
    example: { query: { ...MONTH, granularity: 'day', scope: 'portfolio' } },
    isQuery: true,
    schema: { params: onReport, querystring: reportQuestion, response: { 200: energyReport } },
  },
  days: {
    method: 'GET',
    url: '/energy/:wg/days',
    access: member,
    summary:
      'The energy of days as it is kept: by which method, from how many readings, over which part of the day.',
    example: { query: { ...MONTH, scope: 'portfolio' } },
    isQuery: true,
    schema: { params: inWorkgroup, querystring: energyDaysQuestion, response: { 200: z.array(energyDay) } },
  },
  review: {
    method: 'POST',
    url: '/energy/:wg/days/review',
    access: writing,
    summary:
      'Decides of a day: accepted as it is, replaced by another value, or left out. Null takes the decision back.',
    example: {
      body: {
        deviceId: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11',
        table: 'solar',
        source: 'inv-01',
        day: '2026-10-03',
        decision: 'exclude',
        reason: 'Counter exchanged',
      },
    },
    schema: { params: inWorkgroup, body: dayReview, response: { 200: energyDay } },
  },
  recompute: {
    method: 'POST',
    url: '/energy/:wg/recompute',
    access: writing,
    summary: 'Computes the energy of days again from the rows that are stored.',
    example: { body: MONTH },
    schema: { params: inWorkgroup, body: recompute, response: { 200: longAction } },
  },
  config: {
    method: 'GET',
    url: '/energy/:wg/config/:config',
    access: can('coordinate'),
    summary:
      'How a report is configured; before the first save, what counts without one. Members of a device group see what is about their devices.',
    schema: { params: onEnergyConfig, response: { 200: energyConfig } },
  },
  configure: {
    method: 'PUT',
    url: '/energy/:wg/config/:config',
    access: writing,
    summary: 'Configures a report.',
    example: { body: { value: { basis: 'ac' } } },
    schema: { params: onEnergyConfig, body: energyConfigChange, response: { 200: energyConfig } },
  },
  previewConfig: {
    method: 'POST',
    url: '/energy/:wg/config/:config/preview',
    access: { ...can('coordinate'), unbound: true },
    summary:
      'What yesterday would be with a configuration that is not saved, and which devices lack something.',
    example: { body: { value: { basis: 'ac' } } },
    isQuery: true,
    schema: { params: onEnergyConfig, body: energyConfigChange, response: { 200: energyConfigPreview } },
  },
  meterData: {
    method: 'GET',
    url: '/orgs/:wg/meter-data',
    access: member,
    summary: 'Readings of meters by code and time, 10,000 at a time.',
    example: { query: MONTH },
    schema: { params: inWorkgroup, querystring: meterDataQuestion, response: { 200: meterReadings } },
  },
  putMeterData: {
    method: 'PUT',
    url: '/orgs/:wg/meter-data',
    access: writing,
    summary: 'Stores up to 500 readings of meters, each in the place of what it was; all of them or none.',
    example: { body: { 'PLANT-7|2026-10-01T00:00:00Z': 1250.4, __granularity: 'day' } },
    schema: { params: inWorkgroup, body: meterData, response: { 200: stored } },
  },
  budgetData: {
    method: 'GET',
    url: '/orgs/:wg/budget-data',
    access: member,
    summary: 'Budgets of months by device or meter site.',
    example: { query: { from: '2026-01', to: '2026-12' } },
    schema: { params: inWorkgroup, querystring: budgetQuestion, response: { 200: budgets } },
  },
  putBudgetData: {
    method: 'PUT',
    url: '/orgs/:wg/budget-data',
    access: writing,
    summary: 'Stores up to 500 budgets of months, each in the place of what it was; all of them or none.',
    example: { body: { '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11|2026-10': 38_000 } },
    schema: { params: inWorkgroup, body: budgetData, response: { 200: stored } },
  },
  imports: {
    method: 'GET',
    url: '/energy/:wg/imports',
    access: writing,
    summary: 'The files of readings and budgets that were imported, newest first.',
    schema: { params: inWorkgroup, response: { 200: z.array(energyImport) } },
  },
  previewImport: {
    method: 'POST',
    url: '/energy/:wg/imports/preview',
    access: writing,
    summary:
      'What a file of readings or budgets would store, what is wrong with it line by line, and what has to be said.',
    example: importExample,
    ...importFile,
    schema: { params: inWorkgroup, body: importBody, response: { 200: energyImportPreview } },
  },
  import: {
    method: 'POST',
    url: '/energy/:wg/imports',
    access: writing,
    summary: 'Stores a file of readings or budgets, whole or not at all.',
    example: importExample,
    ...importFile,
    schema: { params: inWorkgroup, body: importBody, response: { 200: energyImport } },
  },
  undoImport: {
    method: 'POST',
    url: '/energy/:wg/imports/:energyImport/undo',
    access: writing,
    summary: 'Takes an import back: what stood before it stands again.',
    example: { body: {} },
    schema: { params: onEnergyImport, body: z.object({}), response: { 200: energyImport } },
  },
  selections: {
    method: 'GET',
    url: '/energy/:wg/selections',
    access: { who: { kind: 'member', inPerson: true } },
    summary: 'What the caller last looked at in each report.',
    schema: { params: inWorkgroup, response: { 200: reportSelections } },
  },
  select: {
    method: 'PUT',
    url: '/energy/:wg/selections/:report',
    access: { who: { kind: 'member', inPerson: true } },
    summary: 'Remembers what the caller looks at in a report.',
    example: { body: { search: '?from=2026-10-01&to=2026-10-31' } },
    schema: { params: onReport, body: reportSelection, response: { 200: reportSelections } },
  },
} as const satisfies Api;
