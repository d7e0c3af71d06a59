import { z } from 'zod';
import { staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { onUser, userEntry } from './user-admin.schema.ts';

const done = { 200: z.object({}) };

export const userAdminApi = {
  list: {
    method: 'GET',
    url: '/opsteam/users',
    access: staff,
    summary: 'Users whose name or e-mail has the text in it, by e-mail, at most 500.',
    schema: {
      querystring: z.object({ search: z.string().max(200).default('') }),
      response: { 200: z.array(userEntry) },
    },
  },
  requireMfa: {
    method: 'PUT',
    url: '/opsteam/users/:user',
    access: { ...staff, fresh: { body: { mfaRequired: false } } },
    summary: 'Demands two-factor authentication of a user, or demands it no more.',
    example: { body: { mfaRequired: false } },
    schema: { params: onUser, body: z.object({ mfaRequired: z.boolean() }), response: { 200: userEntry } },
  },
  sendReset: {
    method: 'POST',
    url: '/opsteam/users/:user/reset',
    access: staff,
    summary: 'Mails a user the link to set a new password.',
    schema: { params: onUser, response: done },
  },
  endSessions: {
    method: 'DELETE',
    url: '/opsteam/users/:user/sessions',
    access: staff,
    summary: 'Ends all sessions of a user at once.',
    schema: { params: onUser, response: done },
  },
} as const satisfies Api;
