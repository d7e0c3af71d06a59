import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { lookupTable, newLookupTable, onLookupTable } from './lookup-tables.schema.ts';

export const lookupTablesApi = {
  list: {
    method: 'GET',
    url: '/lookupTables/:wg',
    access: member,
    summary: 'The lookup tables of the workgroup with all their values, by name.',
    schema: { params: inWorkgroup, response: { 200: z.array(lookupTable) } },
  },
  create: {
    method: 'POST',
    url: '/lookupTables/:wg',
    access: { ...can('coordinate'), unbound: true },
    summary: 'Makes a lookup table.',
    example: { body: { code: 'states', name: 'States' } },
    schema: { params: inWorkgroup, body: newLookupTable, response: { 200: lookupTable } },
  },
  update: {
    method: 'POST',
    url: '/lookupTables/:wg/:lookupTable',
    access: { ...can('coordinate'), unbound: true },
    summary: 'Puts a lookup table in the place of what it was.',
    example: { body: { code: 'states', name: 'States' } },
    schema: { params: onLookupTable, body: newLookupTable, response: { 200: lookupTable } },
  },
  remove: {
    method: 'DELETE',
    url: '/lookupTables/:wg/:lookupTable',
    access: { ...can('coordinate'), unbound: true },
    summary: 'Deletes a lookup table; its codes show as they are stored.',
    schema: { params: onLookupTable, response: { 200: z.object({}) } },
  },
} as const satisfies Api;
