import { z } from 'zod';
import { member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { ownIssue } from '../http/issues.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  aggregation,
  inTable,
  SEARCH_ROWS,
  searchFilter,
  searchResult,
  seriesPoints,
  seriesQuery,
  tableInfo,
  timeframe,
} from './telemetry.schema.ts';

/** A JSON value in a query parameter. */
const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue(ownIssue([], 'issue.json'));
        return z.NEVER;
      }
    })
    .pipe(schema);

/** A parameter that may stand once or several times. */
const repeated = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]), z.array(item));

export const telemetryApi = {
  tables: {
    method: 'GET',
    url: '/tables/:wg',
    access: member,
    summary: 'Names of the tables that hold data of the workgroup.',
    schema: { params: inWorkgroup, response: { 200: z.array(z.string()) } },
  },
  table: {
    method: 'GET',
    url: '/tables/:wg/:table',
    access: member,
    summary: 'The fields of a table with their types; device, event_time and source come first.',
    schema: { params: inTable, response: { 200: tableInfo } },
  },
  search: {
    method: 'GET',
    url: '/tables/:wg/:table/search',
    access: member,
    summary: 'Searches one table: filters, time range, sorting, rows and aggregations.',
    schema: {
      params: inTable,
      querystring: z.object({
        filters: repeated(json(searchFilter)),
        timeframe: json(timeframe).optional(),
        dateField: z.string().default('event_time'),
        timezone: z.string().default('UTC'),
        fields: repeated(z.string()),
        sort: z.string().default('event_time'),
        rows: z.coerce.number().int().min(0).max(SEARCH_ROWS.max).default(SEARCH_ROWS.default),
        aggs: repeated(json(aggregation)),
      }),
      response: { 200: searchResult },
    },
  },
  series: {
    method: 'POST',
    url: '/series/:wg',
    access: member,
    summary:
      'Points of up to 50 series over a time range, thinned to what a chart can show; same order as asked.',
    example: {
      body: {
        from: 0,
        to: 1000,
        series: [
          {
            device: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11',
            table: 'data',
            source: 'inverter',
            field: 'power',
          },
        ],
      },
    },
    schema: { params: inWorkgroup, body: seriesQuery, response: { 200: z.array(seriesPoints) } },
  },
} as const satisfies Api;
