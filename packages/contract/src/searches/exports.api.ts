import { z } from 'zod';
import { memberInPerson } from '../access/access.ts';
import { csvStyle } from '../csv/csv-style.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { longAction } from '../long-actions/long-actions.schema.ts';
import { searchQuery } from '../telemetry/search.schema.ts';
import { inTable } from '../telemetry/telemetry.schema.ts';

/** Comma-separated lines with a line of names, one JSON object a line, or Apache Parquet. */
export const exportFormat = z.enum(['csv', 'jsonl', 'parquet']);
export type ExportFormat = z.infer<typeof exportFormat>;

/** Which records of a table, and as what. */
export const exportQuery = searchQuery
  .pick({
    filters: true,
    filterOperator: true,
    timeframe: true,
    dateField: true,
    timezone: true,
    fields: true,
    sort: true,
  })
  .extend({
    format: exportFormat,
    /** Of CSV; without it times are in UTC, and names as they are. */
    csv: csvStyle.optional(),
  });
export type ExportQuery = z.output<typeof exportQuery>;

export const exportsApi = {
  begin: {
    method: 'POST',
    url: '/tables/:wg/:table/export',
    isQuery: true,
    access: memberInPerson,
    summary: 'Makes a file of up to ten million records in the background, for the caller alone.',
    example: { body: { timeframe: 'last-7-days', format: 'parquet' } },
    schema: { params: inTable, body: exportQuery, response: { 200: longAction } },
  },
} as const satisfies Api;
