import { Readable } from 'node:stream';
import { mcpApi } from '@albedo/contract/mcp/mcp.api';
import { FRONTEND_VERSION } from '@albedo/contract/product';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../access/caller.ts';
import type { Devices } from '../devices/devices.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { McpParts } from './mcp.tools.ts';

/** Assistants ask the same questions as people, with the permissions of their token. */
export function openMcp(of: { telemetry: Telemetry; devices: Devices }): Feature<null> {
  const parts: McpParts = { ...of, version: FRONTEND_VERSION };
  return {
    name: 'mcp',
    service: null,
    routes: (app) =>
      bind(app, mcpApi, {
        send: async (call) => {
          // With the first question: most servers are never asked by an assistant.
          const [{ mcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
            import('./mcp.tools.ts'),
            import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
          ]);
          const server = mcpServer(parts, callerOf(call), call.signal);
          const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
          await server.connect(transport);
          try {
            const answer = await transport.handleRequest(asWebRequest(call.request), {
              parsedBody: call.body,
            });
            return await passOn(answer, call.reply);
          } finally {
            await server.close();
          }
        },
        // The protocol's word for a server that sends nothing by itself.
        listen: ({ reply }) => {
          reply.status(405).header('allow', 'POST').type('text/plain');
          return Readable.from(['Assistants send their messages with POST.']);
        },
      }),
  };
}

function asWebRequest({ headers }: FastifyRequest): Request {
  const given = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version'] as const) {
    const value = headers[name];
    if (typeof value === 'string') given.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers: given });
}

async function passOn(answer: Response, reply: FastifyReply): Promise<Readable> {
  const text = await answer.text();
  reply.status(answer.status).type(answer.headers.get('content-type') ?? 'application/json; charset=utf-8');
  return Readable.from([Buffer.from(text)]);
}
