import { z } from 'zod';
import { can, canInPerson, displayLink } from '../access/access.ts';
import { boardAnswer, boardQuestions } from '../boards/answers.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { kpiAnswer, kpiRows } from '../kpis/kpis.schema.ts';
import { cachedLatestValue } from '../latest-values/latest-values.schema.ts';
import { seriesKey } from '../telemetry/telemetry.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  display,
  madeDisplay,
  newDisplay,
  onDisplay,
  shownDisplay,
  shownKpiQuestion,
  shownKpiRowsQuestion,
} from './displays.schema.ts';

const ID = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';
const STREAM = { device: ID, table: 'data', source: 'inverter', field: 'power' };

export const displaysApi = {
  list: {
    method: 'GET',
    url: '/displays/:wg',
    access: { ...can('coordinate'), unbound: true },
    summary: 'The display links of the workgroup, the newest first, without their tokens.',
    schema: { params: inWorkgroup, response: { 200: z.array(display) } },
  },
  create: {
    method: 'POST',
    url: '/displays/:wg',
    access: { ...canInPerson('coordinate'), unbound: true, fresh: true },
    summary:
      'Makes a link with which a screen shows dashboards without a sign-in. Its token is told this once; it ends at its date, when it is revoked, and when its maker may not show the dashboards any more.',
    example: { body: { name: 'Entrance', pages: [{ board: ID }] } },
    schema: { params: inWorkgroup, body: newDisplay, response: { 200: madeDisplay } },
  },
  revoke: {
    method: 'DELETE',
    url: '/displays/:wg/:display',
    access: { ...can('coordinate'), unbound: true },
    summary: 'Ends a display link at once.',
    schema: { params: onDisplay, response: { 200: z.object({}) } },
  },
  show: {
    method: 'GET',
    url: '/display',
    access: displayLink,
    summary: 'What the display of the token shows: its dashboards, and the entities and fields in them.',
    schema: { response: { 200: shownDisplay } },
  },
  answers: {
    method: 'POST',
    url: '/display/answers',
    access: displayLink,
    summary: 'Answers what the widgets of the display ask; for any other stream it is refused.',
    example: {
      body: {
        questions: [{ id: 'power', kind: 'series', from: 0, to: 1000, series: [{ streams: [STREAM] }] }],
      },
    },
    schema: { body: boardQuestions, response: { 200: z.array(boardAnswer) } },
  },
  latest: {
    method: 'POST',
    url: '/display/latest',
    access: displayLink,
    summary: 'The newest values of streams of the display, in the order in which they were asked for.',
    example: { body: { streams: [STREAM] } },
    schema: {
      body: z.object({ streams: z.array(seriesKey).min(1).max(3000) }),
      response: { 200: z.array(cachedLatestValue) },
    },
  },
  kpi: {
    method: 'POST',
    url: '/display/kpi',
    access: displayLink,
    summary:
      'A value of a KPI that a widget of the display asks for, at its entity and over its range; any other is refused.',
    example: { body: { kpi: ID, entity: 'hilltop', range: 'last-7-days', interval: '1d' } },
    schema: { body: shownKpiQuestion, response: { 200: kpiAnswer } },
  },
  kpiRows: {
    method: 'POST',
    url: '/display/kpiRows',
    access: displayLink,
    summary: 'The same for the entities of a table or a ranking.',
    example: { body: { kpi: ID, entities: ['hilltop'], range: 'last-7-days' } },
    schema: { body: shownKpiRowsQuestion, response: { 200: kpiRows } },
  },
} as const satisfies Api;
