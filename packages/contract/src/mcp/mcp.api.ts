import { z } from 'zod';
import { member } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

/** A message of JSON-RPC 2.0, or its answer; the protocol itself checks the rest. */
const message = z.looseObject({ jsonrpc: z.literal('2.0') });

/** The Model Context Protocol over streamable HTTP, without sessions: each message is answered by itself. */
export const mcpApi = {
  send: {
    method: 'POST',
    url: '/mcp/:wg',
    access: member,
    summary: 'A message of an assistant (Model Context Protocol); its tools read what the caller may see.',
    example: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } },
    schema: { params: inWorkgroup, body: message, response: { 200: message } },
  },
  listen: {
    method: 'GET',
    url: '/mcp/:wg',
    access: member,
    summary: 'Refused with 405, as the protocol asks of a server that sends nothing by itself.',
    schema: { params: inWorkgroup, querystring: z.looseObject({}), response: { 200: message } },
  },
} as const satisfies Api;
