import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  accessMap,
  accessRule,
  explanation,
  newAccessRule,
  onAccessRule,
  whyQuery,
} from './access-control.schema.ts';

/**
 * None of it needs the addon `access-control`: without it the rules do not count, and people prepare them before it is on,
 * since from then on what no rule allows is denied, and take them away after it is gone.
 */
export const accessControlApi = {
  list: {
    method: 'GET',
    url: '/orgs/:wg/access-control',
    access: can('manageAccess'),
    summary: 'The access-control rules of the workgroup, newest first; they count while the addon is on.',
    schema: { params: inWorkgroup, response: { 200: z.array(accessRule) } },
  },
  mine: {
    method: 'GET',
    url: '/orgs/:wg/access-control/mine',
    access: member,
    summary: 'What the caller may do by the rules: a map from resource to allowed actions.',
    schema: { params: inWorkgroup, response: { 200: accessMap } },
  },
  why: {
    method: 'GET',
    url: '/orgs/:wg/access-control/why',
    access: can('manageAccess'),
    summary:
      'Why a user or an API token may do something, or may not: the permission and the rules that decide.',
    example: {
      query: {
        principalType: 'User',
        principalId: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11',
        resourceType: 'DeviceCommand',
        action: 'run',
      },
    },
    schema: { params: inWorkgroup, querystring: whyQuery, response: { 200: explanation } },
  },
  create: {
    method: 'POST',
    url: '/orgs/:wg/access-control',
    access: { ...can('manageAccess'), unbound: true },
    summary: 'Makes an access-control rule; it counts at once.',
    example: {
      body: {
        resourceType: 'DeviceCommand',
        resourceId: 'all',
        actions: ['run'],
        principalType: 'Workgroup_Users',
        principalId: '-',
        effect: 'Allow',
      },
    },
    schema: { params: inWorkgroup, body: newAccessRule, response: { 200: accessRule } },
  },
  update: {
    method: 'PUT',
    url: '/orgs/:wg/access-control/:rule',
    access: { ...can('manageAccess'), unbound: true },
    summary: 'Puts another rule in the place of one.',
    example: {
      body: {
        resourceType: 'DeviceCommand',
        resourceId: 'all',
        actions: ['run'],
        principalType: 'Workgroup_Users',
        principalId: '-',
        effect: 'Allow',
      },
    },
    schema: { params: onAccessRule, body: newAccessRule, response: { 200: accessRule } },
  },
  remove: {
    method: 'DELETE',
    url: '/orgs/:wg/access-control/:rule',
    access: { ...can('manageAccess'), unbound: true },
    summary: 'Deletes an access-control rule.',
    schema: { params: onAccessRule, response: { 200: z.object({}) } },
  },
} as const satisfies Api;
