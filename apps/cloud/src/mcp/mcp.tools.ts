import { searchQuery } from '@albedo/contract/telemetry/search.schema';
import { seriesQuery } from '@albedo/contract/telemetry/telemetry.schema';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Devices } from '../devices/devices.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';

export interface McpParts {
  telemetry: Telemetry;
  devices: Pick<Devices, 'list'>;
  version: string;
}

/** What an assistant reads at once; more does not help it. */
const DEVICES = 200;
const ROWS = 500;
const POINTS = 500;

const table = z.string().describe('Name of a table, as list_tables gives it.');
const timezone = z.string().optional().describe('IANA time zone, such as Europe/Berlin; UTC without it.');
const object = z.record(z.string(), z.unknown());

/** The tools that a caller has: they read, and see what the caller sees. */
export function mcpServer(of: McpParts, by: Caller, signal: AbortSignal): McpServer {
  const { telemetry, devices, version } = of;
  const server = new McpServer(
    { name: 'albedo', version },
    {
      instructions:
        'Measurements of connected devices. Start with list_devices and list_tables, then describe_table for the fields and their units. All instants are UTC.',
    },
  );
  const reader = telemetry.for(by);
  const add = <S extends z.ZodRawShape>(
    name: string,
    description: string,
    inputSchema: S,
    run: (given: z.output<z.ZodObject<S>>) => Promise<unknown>,
  ) =>
    server.registerTool(
      name,
      { description, inputSchema, annotations: { readOnlyHint: true, openWorldHint: false } },
      ((given: z.output<z.ZodObject<S>>) => told(() => run(given))) as never,
    );

  add(
    'list_devices',
    `Devices of the workgroup with id, name and whether they are online; up to ${DEVICES}, those whose name contains the text.`,
    { name: z.string().optional().describe('Part of the name.') },
    async ({ name = '' }) => {
      const found = devices
        .list(by.workgroup, by.devices)
        .filter((one) => one.name.toLowerCase().includes(name.toLowerCase()));
      const shown = found
        .slice(0, DEVICES)
        .map(({ id, name: title, facts }) => ({ id, name: title, online: facts.online }));
      return { total: found.length, devices: shown };
    },
  );
  add('list_tables', 'Names of the tables that hold data.', {}, async () => ({
    tables: await reader.tables(),
  }));
  add(
    'describe_table',
    'Fields of a table with their types, units, first and last time (epoch ms) and sources.',
    { table },
    ({ table: name }) => reader.table(name),
  );
  add(
    'search',
    `Records of one table, ${ROWS} at most, with totals and aggregations. A filter is {"field","operator","value"} with the operators =, !=, >, >=, <, <=, IN, NOT IN, LIKE, EXISTS, NOT EXISTS, or a group {"operator":"OR","filters":[…]}. An aggregation is {"name","type","fields","groupBy"}; types are average, timeWeightedAverage, min, max, sum, count, first, last, latest, difference, stdDeviation, percentiles, cardinality, integral; groupBy takes field names and {"field":"event_time","interval":"1d"}.`,
    {
      table,
      timeframe: z
        .union([z.string(), object])
        .optional()
        .describe('A name such as last-7-days, today or 90m, or {"from","to"} with ISO 8601 dates.'),
      filters: z.array(object).optional(),
      fields: z.array(z.string()).optional().describe('Columns to answer; all without it.'),
      sort: z.string().optional().describe('A field; a leading minus sorts descending.'),
      rows: z.number().int().min(0).max(ROWS).optional(),
      aggs: z.array(object).optional(),
      timezone,
    },
    ({ table: name, ...query }) => reader.search(name, checked(searchQuery, { rows: 50, ...query }), signal),
  );
  add(
    'get_series',
    'Points of up to 20 series over a time range, thinned to what is asked for, with minimum, average, maximum and figures of the whole range.',
    {
      series: z
        .array(z.object({ device: z.string(), table: z.string(), source: z.string(), field: z.string() }))
        .min(1)
        .max(20),
      from: z.string().describe('ISO 8601 with a zone.'),
      to: z.string().describe('ISO 8601 with a zone.'),
      maxPoints: z.number().int().min(10).max(POINTS).optional(),
      interval: z.string().optional().describe('Calendar intervals such as 1h, 1d or 1 month.'),
      function: z.string().optional(),
      timezone,
    },
    ({ from, to, ...query }) => {
      const span = { from: Date.parse(from), to: Date.parse(to) };
      return reader.series(checked(seriesQuery, { maxPoints: 100, ...query, ...span }), signal);
    },
  );
  add(
    'latest_values',
    'The newest values of every source of a device, or of one field of a table in every source of every device.',
    {
      device: z.string().optional().describe('Id of a device.'),
      table: table.optional(),
      field: z.string().optional(),
    },
    async ({ device, table: name, field }) => {
      if (device !== undefined) {
        if (!by.devices.has(device)) throw new AppError('device.not_found');
        return reader.latest(device, signal);
      }
      if (name === undefined || field === undefined) throw invalid('issue.latest_of');
      return reader.latestOf(name, field, signal);
    },
  );
  return server;
}

function checked<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const what = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new AppError('request.invalid', { what });
}

/** What a tool found, as text for the assistant; expected failures in their own words, anything else in none. */
async function told(run: () => Promise<unknown>) {
  try {
    return { content: [{ type: 'text' as const, text: JSON.stringify(await run()) }] };
  } catch (error) {
    if (!(error instanceof AppError)) throw new Error('The server failed to answer this.', { cause: error });
    return { content: [{ type: 'text' as const, text: error.message }], isError: true };
  }
}
