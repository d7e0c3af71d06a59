import { z } from 'zod';
import { member, memberInPerson } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { formula, newFormula, onFormula } from './formulae.schema.ts';

const EXAMPLE = {
  title: 'Power of both inverters',
  expression: 'east + west',
  unit: 'kW',
  inputs: ['east', 'west'].map((name) => ({
    name,
    device: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11',
    table: 'solar',
    source: name,
    field: 'AC Power',
  })),
};

export const formulaeApi = {
  list: {
    method: 'GET',
    url: '/formulae/:wg',
    access: member,
    summary: 'The formulas that are shared with the workgroup and those of the caller, by title.',
    schema: { params: inWorkgroup, response: { 200: z.array(formula) } },
  },
  create: {
    method: 'POST',
    url: '/formulae/:wg',
    access: memberInPerson,
    summary: 'Makes a personal formula; names, units and inputs are checked.',
    example: { body: EXAMPLE },
    schema: { params: inWorkgroup, body: newFormula, response: { 200: formula } },
  },
  update: {
    method: 'PUT',
    url: '/formulae/:wg/:formula',
    access: memberInPerson,
    summary: 'Changes a formula: your own, or with the permission coordinate a shared one.',
    example: { body: EXAMPLE },
    schema: { params: onFormula, body: newFormula, response: { 200: formula } },
  },
  remove: {
    method: 'DELETE',
    url: '/formulae/:wg/:formula',
    access: memberInPerson,
    summary: 'Deletes a formula: your own, or with the permission coordinate a shared one.',
    schema: { params: onFormula, response: { 200: z.object({}) } },
  },
  share: {
    method: 'PUT',
    url: '/formulae/:wg/:formula/share',
    access: memberInPerson,
    summary: 'Shares a formula with the workgroup.',
    schema: { params: onFormula, response: { 200: formula } },
  },
  unshare: {
    method: 'DELETE',
    url: '/formulae/:wg/:formula/share',
    access: memberInPerson,
    summary: 'Makes a shared formula personal again; it stays with its owner.',
    schema: { params: onFormula, response: { 200: z.object({}) } },
  },
} as const satisfies Api;
