import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { kpiAnswer } from '../kpis/kpis.schema.ts';
import { longAction } from '../long-actions/long-actions.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  backfill,
  calculation,
  calculationChange,
  calculationExplanation,
  calculationPreview,
  calculationValues,
  changedCalculation,
  explainQuestion,
  newCalculation,
  onCalculation,
  valuesQuestion,
} from './calculations.schema.ts';

const reading = { ...member, addon: 'calculations' } as const;
/** What is stored is over everything, so whoever sees only some devices is not told. */
const readingAll = { ...reading, unbound: true } as const;
const writing = { ...can('coordinate'), unbound: true, addon: 'calculations' } as const;

const EXAMPLE = {
  name: 'Yield per hour',
  target: { kind: 'label', label: 'site' },
  interval: '1h',
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
const RANGE = { from: 1_767_225_600_000, to: 1_767_830_400_000 };

const list = {
  method: 'GET',
  access: reading,
  summary: 'The calculations of the workgroup, by name.',
  schema: { params: inWorkgroup, response: { 200: z.array(calculation) } },
} as const;
const create = {
  method: 'POST',
  access: writing,
  summary: 'Makes a calculation: formulas that are written as records of a table, at an interval.',
  example: { body: EXAMPLE },
  schema: { params: inWorkgroup, body: newCalculation, response: { 200: calculation } },
} as const;

export const calculationsApi = {
  list: { ...list, url: '/calculationsV2/:wg' },
  create: { ...create, url: '/calculationsV2/:wg' },
  listLegacy: {
    ...list,
    url: '/calculations/:wg',
    summary: 'The same as `calculationsV2`, by its older name.',
  },
  createLegacy: {
    ...create,
    url: '/calculations/:wg',
    example: { body: { ...EXAMPLE, name: 'Yield of each hour', table: 'hourly' } },
    summary: 'The same as `calculationsV2`, by its older name.',
  },
  update: {
    method: 'PUT',
    url: '/calculations/:wg/:calculation',
    access: writing,
    summary:
      'Puts a calculation in the place of what it was, and computes again what it has written. With `version`, only over that one.',
    example: { body: EXAMPLE },
    schema: { params: onCalculation, body: changedCalculation, response: { 200: calculation } },
  },
  remove: {
    method: 'DELETE',
    url: '/calculations/:wg/:calculation',
    access: writing,
    summary: 'Deletes a calculation. The records that it has written stay.',
    schema: { params: onCalculation, response: { 200: z.object({}) } },
  },
  backfill: {
    method: 'POST',
    url: '/calculations/:wg/:calculation/backfill',
    access: writing,
    summary: 'Computes a range of the past, as a long action.',
    example: { body: RANGE },
    schema: { params: onCalculation, body: backfill, response: { 200: longAction } },
  },
  values: {
    method: 'POST',
    url: '/calculations/:wg/:calculation/values',
    access: readingAll,
    summary: 'What a calculation has written of an entity, interval by interval.',
    example: { body: { entity: 'hilltop', ...RANGE } },
    schema: { params: onCalculation, body: valuesQuestion, response: { 200: calculationValues } },
  },
  changes: {
    method: 'GET',
    url: '/calculations/:wg/:calculation/changes',
    access: readingAll,
    summary: 'Numbers that are other ones now, with why: the last 200.',
    schema: { params: onCalculation, response: { 200: z.array(calculationChange) } },
  },
  explain: {
    method: 'POST',
    url: '/calculations/:wg/:calculation/explain',
    access: readingAll,
    summary: 'Where the numbers of one interval come from: inputs, facts, definition, and what changed them.',
    example: { body: { entity: 'hilltop', at: RANGE.from } },
    schema: { params: onCalculation, body: explainQuestion, response: { 200: calculationExplanation } },
  },
  preview: {
    method: 'POST',
    url: '/calculationPreview/:wg',
    access: writing,
    summary: 'What a calculation that is not saved would have written.',
    example: { body: { calculation: EXAMPLE, question: { entity: 'hilltop', ...RANGE } } },
    schema: { params: inWorkgroup, body: calculationPreview, response: { 200: kpiAnswer } },
  },
} as const satisfies Api;
