import { z } from 'zod';
import { can } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { newUserRole, onRole, userRole } from './roles.schema.ts';

export const rolesApi = {
  list: {
    method: 'GET',
    url: '/roles/:wg',
    access: can('manageAccess'),
    summary: 'The roles of the workgroup with who has them, by name.',
    schema: { params: inWorkgroup, response: { 200: z.array(userRole) } },
  },
  create: {
    method: 'POST',
    url: '/roles/:wg',
    access: { ...can('manageAccess'), unbound: true },
    summary: 'Makes a role and gives it to users.',
    example: { body: { name: 'Crew' } },
    schema: { params: inWorkgroup, body: newUserRole, response: { 200: userRole } },
  },
  update: {
    method: 'PUT',
    url: '/roles/:wg/:role',
    access: { ...can('manageAccess'), unbound: true },
    summary:
      'Renames a role, describes it anew, or gives it to others; what is left out of its members loses it.',
    example: { body: { name: 'Crew' } },
    schema: { params: onRole, body: newUserRole, response: { 200: userRole } },
  },
  remove: {
    method: 'DELETE',
    url: '/roles/:wg/:role',
    access: { ...can('manageAccess'), unbound: true },
    summary: 'Deletes a role with the access-control rules that name it.',
    schema: { params: onRole, response: { 200: z.object({}) } },
  },
} as const satisfies Api;
