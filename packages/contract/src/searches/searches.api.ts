import { z } from 'zod';
import { can, member, memberInPerson } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  changedSearch,
  newSchedule,
  newSearch,
  onSearch,
  savedSearch,
  searchOverview,
  searchSchedule,
} from './searches.schema.ts';

const done = { 200: z.object({}) };
const EXAMPLE = {
  name: 'Faults of the week',
  table: 'inverter',
  timeframe: 'last-7-days',
  filters: [{ field: 'Status', operator: '=', value: 'fault' }],
};

export const searchesApi = {
  list: {
    method: 'GET',
    url: '/searches/:wg',
    access: member,
    summary: 'The searches that are shared with the workgroup and those of the caller, by name.',
    schema: { params: inWorkgroup, response: { 200: z.array(savedSearch) } },
  },
  get: {
    method: 'GET',
    url: '/searches/:wg/:search',
    access: member,
    summary: 'One saved search.',
    schema: { params: onSearch, response: { 200: savedSearch } },
  },
  create: {
    method: 'POST',
    url: '/searches/:wg',
    access: memberInPerson,
    summary: 'Saves a search for the caller alone.',
    example: { body: EXAMPLE },
    schema: { params: inWorkgroup, body: newSearch, response: { 200: savedSearch } },
  },
  update: {
    method: 'PUT',
    url: '/searches/:wg/:search',
    access: memberInPerson,
    summary:
      "Changes a search: the caller's own, or with the permission coordinate a shared one. With `version`, only over that one.",
    example: { body: EXAMPLE },
    schema: { params: onSearch, body: changedSearch, response: { 200: savedSearch } },
  },
  remove: {
    method: 'DELETE',
    url: '/searches/:wg/:search',
    access: memberInPerson,
    summary: "Deletes a search: the caller's own, or with the permission coordinate a shared one.",
    schema: { params: onSearch, response: done },
  },
  share: {
    method: 'PUT',
    url: '/searches/:wg/:search/share',
    access: memberInPerson,
    summary: 'Shares a search with the workgroup; schedules are not shared.',
    schema: { params: onSearch, response: { 200: savedSearch } },
  },
  unshare: {
    method: 'DELETE',
    url: '/searches/:wg/:search/share',
    access: memberInPerson,
    summary: 'Makes a shared search personal again; it stays with its owner.',
    schema: { params: onSearch, response: done },
  },
  schedule: {
    method: 'GET',
    url: '/searches/:wg/:search/schedule',
    access: memberInPerson,
    summary: 'When the caller has a search mailed; 404 where they do not.',
    schema: { params: onSearch, response: { 200: searchSchedule } },
  },
  setSchedule: {
    method: 'PUT',
    url: '/searches/:wg/:search/schedule',
    access: memberInPerson,
    summary: 'Has a search mailed as CSV, with what the caller can see at the time of each mail.',
    example: { body: { timezone: 'Europe/Berlin', recipients: ['ann@example.org'] } },
    schema: { params: onSearch, body: newSchedule, response: { 200: searchSchedule } },
  },
  removeSchedule: {
    method: 'DELETE',
    url: '/searches/:wg/:search/schedule',
    access: memberInPerson,
    summary: 'Ends the mails of the caller.',
    schema: { params: onSearch, response: done },
  },
  overview: {
    method: 'GET',
    url: '/orgs/:wg/searches',
    access: { ...can('manageAccess'), unbound: true },
    summary: 'All saved searches, with whose they are and whom they are mailed to.',
    schema: { params: inWorkgroup, response: { 200: z.array(searchOverview) } },
  },
  removeAny: {
    method: 'DELETE',
    url: '/orgs/:wg/searches/:search',
    access: { ...can('manageAccess'), unbound: true },
    summary: 'Deletes a search of anybody, with its schedules.',
    schema: { params: onSearch, response: done },
  },
  removeSchedules: {
    method: 'DELETE',
    url: '/orgs/:wg/searches/:search/schedules',
    access: { ...can('manageAccess'), unbound: true },
    summary: 'Ends all mails of a search, whoever has them sent.',
    schema: { params: onSearch, response: done },
  },
} as const satisfies Api;
