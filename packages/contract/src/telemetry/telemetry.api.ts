import { z } from 'zod';
import { member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { flag } from '../http/query.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { searchParams, searchResult } from './search.schema.ts';
import { inTable, seriesPoints, seriesQuery, tableInfo } from './telemetry.schema.ts';

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
    summary:
      'The fields of a table with their types; device, event_time and source come first. With typesonly=true without when and in which sources each was seen, which takes a look at every event.',
    example: { query: { typesonly: 'true' } },
    schema: { params: inTable, querystring: z.object({ typesonly: flag }), response: { 200: tableInfo } },
  },
  search: {
    method: 'GET',
    url: '/tables/:wg/:table/search',
    isQuery: true,
    access: member,
    summary:
      'Searches one table: filters, time range, sorting, rows and aggregations; with csvScroll as text, every record.',
    example: {
      query: {
        timeframe: 'last-7-days',
        filters: ['{"field":"AC Power","operator":">","value":1000}'],
        aggs: ['{"name":"peak","type":"max","field":"AC Power","groupBy":["device"]}'],
        rows: 0,
      },
    },
    schema: {
      params: inTable,
      querystring: searchParams,
      response: { 200: searchResult },
    },
  },
  scroll: {
    method: 'GET',
    url: '/tables/:wg/:table/search/scroll',
    isQuery: true,
    access: member,
    summary:
      'The next page of a search that was asked with scroll=true, within 30 seconds of the page before.',
    example: { query: { scroll_id: 'the-scroll-of-the-first-page' } },
    schema: {
      params: inTable,
      querystring: z.object({ scroll_id: z.string().min(1) }),
      response: { 200: searchResult },
    },
  },
  series: {
    method: 'POST',
    url: '/series/:wg',
    isQuery: true,
    access: member,
    summary:
      'Points of up to 100 series, 40 formulas and 100 combined lines over a time range, thinned to what a chart can show; same order as asked.',
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
