import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { changedMachine, machine, newMachine, onMachine } from './machines.schema.ts';

const coordinate = { ...can('coordinate'), unbound: true, addon: 'machines' } as const;
const EXAMPLE = {
  name: 'String inverter 25 kW',
  class: 'inverter',
  roles: { acPower: { table: 'solar', field: 'AC Power', units: 'W' } },
} as const;

export const machinesApi = {
  list: {
    method: 'GET',
    url: '/machines/:wg',
    access: { ...member, addon: 'machines' },
    summary: 'The machines of the workgroup, by name: what entities are, with the places of their roles.',
    schema: { params: inWorkgroup, response: { 200: z.array(machine) } },
  },
  create: {
    method: 'POST',
    url: '/machines/:wg',
    access: coordinate,
    summary: 'Makes a machine.',
    example: { body: EXAMPLE },
    schema: { params: inWorkgroup, body: newMachine, response: { 200: machine } },
  },
  update: {
    method: 'PUT',
    url: '/machines/:wg/:machine',
    access: coordinate,
    summary:
      'Puts a machine in the place of what it was; every entity of it follows. With `version`, only over that one.',
    example: { body: EXAMPLE },
    schema: { params: onMachine, body: changedMachine, response: { 200: machine } },
  },
  remove: {
    method: 'DELETE',
    url: '/machines/:wg/:machine',
    access: coordinate,
    summary: 'Deletes a machine; its entities stay, without a machine.',
    schema: { params: onMachine, response: { 200: z.object({}) } },
  },
} as const satisfies Api;
