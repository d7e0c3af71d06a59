import { z } from 'zod';
import { canInPerson } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  commissioning,
  commissioningChange,
  newCommissioning,
  onCommissioning,
  plantLanguage,
  plantPreview,
} from './commissioning.schema.ts';

const managing = { ...canInPerson('manageDevices'), unbound: true } as const;
const controlling = { ...canInPerson('controlDevices'), unbound: true } as const;

const EXAMPLE = {
  step: 'read',
  plan: {
    machines: [
      {
        reader: 'sunspec',
        host: '192.168.1.20',
        port: 502,
        unit: 1,
        name: 'inv-01',
        model: 'Helionova HN-25K3',
      },
    ],
    plantName: 'Hill farm',
  },
};

export const commissioningApi = {
  list: {
    method: 'GET',
    url: '/commissioning/:wg',
    access: managing,
    summary: 'Plants that the caller is setting up, the newest first.',
    schema: { params: inWorkgroup, response: { 200: z.array(commissioning) } },
  },
  begin: {
    method: 'POST',
    url: '/commissioning/:wg',
    access: managing,
    summary: 'Begins to set up the plant of a device, or answers the setup that is under way.',
    example: { body: { device: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11' } },
    schema: { params: inWorkgroup, body: newCommissioning, response: { 200: commissioning } },
  },
  get: {
    method: 'GET',
    url: '/commissioning/:wg/:commissioning',
    access: managing,
    summary: 'How far a setup of the caller is.',
    schema: { params: onCommissioning, response: { 200: commissioning } },
  },
  save: {
    method: 'PUT',
    url: '/commissioning/:wg/:commissioning',
    access: managing,
    summary: 'Keeps what was decided so far; the device hears nothing of it.',
    example: { body: EXAMPLE },
    schema: { params: onCommissioning, body: commissioningChange, response: { 200: commissioning } },
  },
  discard: {
    method: 'DELETE',
    url: '/commissioning/:wg/:commissioning',
    access: managing,
    summary: 'Forgets a setup; the device and what it reads stay.',
    schema: { params: onCommissioning, response: { 200: z.object({}) } },
  },
  preview: {
    method: 'POST',
    url: '/commissioning/:wg/:commissioning/preview',
    access: controlling,
    summary: 'Has the device read the chosen machines once; nothing is saved.',
    schema: { params: onCommissioning, response: { 200: plantPreview } },
  },
  read: {
    method: 'POST',
    url: '/commissioning/:wg/:commissioning/readings',
    access: controlling,
    summary: 'Configures the device so that it reads the chosen machines from now on.',
    schema: { params: onCommissioning, response: { 200: commissioning } },
  },
  build: {
    method: 'POST',
    url: '/commissioning/:wg/:commissioning/plant',
    access: {
      ...canInPerson('coordinate'),
      unbound: true,
      rule: { resource: 'Entity', action: 'create', on: 'all' },
    },
    summary: 'Makes the site with its machines in the tree, and boards where their kinds have none.',
    example: { body: { language: 'en' } },
    schema: {
      params: onCommissioning,
      body: z.object({ language: plantLanguage }),
      response: { 200: commissioning },
    },
  },
} as const satisfies Api;
