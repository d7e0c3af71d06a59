import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  changedKpi,
  kpi,
  kpiAnswer,
  kpiQuestion,
  kpiRows,
  kpiRowsQuestion,
  newKpi,
  onKpi,
} from './kpis.schema.ts';

const reading = { ...member, addon: 'calculations' } as const;
const writing = { ...can('coordinate'), unbound: true, addon: 'calculations' } as const;

const EXAMPLE = {
  name: 'Specific yield',
  values: {
    energy: {
      kind: 'aggregate',
      streams: { role: 'energyTotal' },
      operator: 'difference',
      units: 'kWh',
    },
    peak: { kind: 'metadata', key: 'kWp', units: 'kWp' },
    yield: { kind: 'formula', formula: 'energy / peak', isPrimary: true },
  },
} as const;
const QUESTION = { entity: 'hilltop', from: 1_767_225_600_000, to: 1_767_830_400_000, interval: '1d' };

export const kpisApi = {
  list: {
    method: 'GET',
    url: '/kpis/:wg',
    access: reading,
    summary: 'The KPIs of the workgroup, by name.',
    schema: { params: inWorkgroup, response: { 200: z.array(kpi) } },
  },
  create: {
    method: 'POST',
    url: '/kpis/:wg',
    access: writing,
    summary: 'Makes a KPI: aggregate searches, facts and formulas over them.',
    example: { body: EXAMPLE },
    schema: { params: inWorkgroup, body: newKpi, response: { 200: kpi } },
  },
  update: {
    method: 'PUT',
    url: '/kpis/:wg/:kpi',
    access: writing,
    summary: 'Puts a KPI in the place of what it was; with `version`, only over that one.',
    example: { body: EXAMPLE },
    schema: { params: onKpi, body: changedKpi, response: { 200: kpi } },
  },
  remove: {
    method: 'DELETE',
    url: '/kpis/:wg/:kpi',
    access: writing,
    summary: 'Deletes a KPI.',
    schema: { params: onKpi, response: { 200: z.object({}) } },
  },
  evaluate: {
    method: 'POST',
    url: '/kpis/:wg/:kpi/evaluate',
    access: reading,
    summary:
      'The values of a KPI for an entity and everything below it: over a range, and for each calendar interval of it.',
    example: { body: QUESTION },
    schema: { params: onKpi, body: kpiQuestion, response: { 200: kpiAnswer } },
  },
  rows: {
    method: 'POST',
    url: '/kpis/:wg/:kpi/rows',
    access: reading,
    summary:
      'The values of a KPI over a range for several entities at once, each by the clock of its own site. Entities that the caller does not see have no row.',
    example: { body: { entities: ['hilltop', 'harbour'], from: QUESTION.from, to: QUESTION.to } },
    schema: { params: onKpi, body: kpiRowsQuestion, response: { 200: kpiRows } },
  },
  preview: {
    method: 'POST',
    url: '/kpiPreview/:wg',
    access: reading,
    summary: 'The values of a KPI that is not saved.',
    example: { body: { kpi: EXAMPLE, question: QUESTION } },
    schema: {
      params: inWorkgroup,
      body: z.object({ kpi: newKpi, question: kpiQuestion }),
      response: { 200: kpiAnswer },
    },
  },
} as const satisfies Api;
