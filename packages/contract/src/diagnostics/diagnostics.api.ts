import { z } from 'zod';
import { can, memberInPerson, staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  browserError,
  browserErrorDetail,
  errorFilter,
  findings,
  frontendError,
  onBrowserError,
  pagesByUse,
  pagesQuestion,
  pageView,
} from './diagnostics.schema.ts';

export const diagnosticsApi = {
  frontendAnalytics: {
    method: 'POST',
    url: '/diagnostics/:wg/frontendAnalytics',
    access: memberInPerson,
    summary: 'Counts that the user looked at a page of the web app, and for how long.',
    example: { body: { location: '/devices' } },
    schema: { params: inWorkgroup, body: pageView, response: { 200: z.object({}) } },
    ratePerMinute: 120,
  },
  frontendError: {
    method: 'POST',
    url: '/diagnostics/:wg/frontendError',
    access: memberInPerson,
    summary: 'Tells the staff what went wrong in the browser.',
    example: {
      body: {
        location: '/devices',
        message: 'x is undefined',
        stack: '',
        context: { source: 'window', version: '1' },
      },
    },
    schema: { params: inWorkgroup, body: frontendError, response: { 200: z.object({}) } },
    ratePerMinute: 20,
  },
  findings: {
    method: 'GET',
    url: '/diagnostics/:wg/findings',
    access: can('coordinate'),
    summary: 'What somebody should see to in the workgroup: gaps, what fails, and what is about to expire.',
    schema: { params: inWorkgroup, response: { 200: findings } },
  },
  errors: {
    method: 'GET',
    url: '/opsteam/errors',
    access: staff,
    summary: 'What browsers report, grouped by what it says and where it happens, newest first.',
    schema: { querystring: errorFilter, response: { 200: z.array(browserError) } },
  },
  error: {
    method: 'GET',
    url: '/opsteam/errors/:browserError',
    access: staff,
    summary: 'One of them, with its stack and where it was seen.',
    schema: { params: onBrowserError, response: { 200: browserErrorDetail } },
  },
  setResolved: {
    method: 'PUT',
    url: '/opsteam/errors/:browserError',
    access: staff,
    summary: 'Calls it resolved, until a browser reports it again; or takes that back.',
    example: { body: { isResolved: true } },
    schema: {
      params: onBrowserError,
      body: z.object({ isResolved: z.boolean() }),
      response: { 200: browserErrorDetail },
    },
  },
  pages: {
    method: 'GET',
    url: '/opsteam/pages',
    access: staff,
    summary: 'Which pages are used: visits, people and time, by day and by workgroup.',
    schema: { querystring: pagesQuestion, response: { 200: pagesByUse } },
  },
} as const satisfies Api;
