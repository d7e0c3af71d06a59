import { randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gunzip, inflate, zstdDecompress } from 'node:zlib';
import { type Answer, cancelled, type Engine, type StatementRun } from './engine.ts';
import { EngineError, prepareStatement } from './statement.ts';

/** Largest body of a request, before and after decompression. */
const BODY_LIMIT = 256 * 1024 * 1024;

/** Parameters of a request that are no settings of the engine, but of the HTTP interface or meaningless here. */
const NOT_SETTINGS = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'session_id',
  'session_timeout',
  'role',
  'user',
  'password',
  'compress',
  'decompress',
  'wait_end_of_query',
  'buffer_size',
  'enable_http_compression',
  'http_zlib_compression_level',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_response_buffer_size',
  'http_write_exception_in_output_format',
  'cancel_http_readonly_queries_on_client_close',
  'async_insert',
  'wait_for_async_insert',
]);

const STATUSES: Readonly<Record<number, number>> = {
  62: 400,
  115: 404,
  36: 400,
  46: 404,
  47: 404,
  60: 404,
  81: 404,
  456: 400,
  516: 403,
  164: 403,
  202: 503,
  236: 503,
};

const inflaters: Readonly<
  Record<string, (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  zstd: promisify(zstdDecompress),
};

/** The part of ClickHouse's HTTP interface that `@clickhouse/client` uses, before an engine. */
export function engineServer(engine: Engine, password: string): Server {
  const server = createServer((request, response) => {
    answer(engine, password, request, response).catch((error: unknown) => fail(response, error));
  });
  server.requestTimeout = 0;
  server.keepAliveTimeout = 30_000;
  return server;
}

async function answer(
  engine: Engine,
  password: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://engine');
  if (url.pathname === '/ping' || url.pathname === '/replicas_status') {
    response.end('Ok.\n');
    return;
  }
  if (url.pathname !== '/') {
    response.writeHead(404).end('There is no handle here.\n');
    return;
  }
  checkPassword(request, password);
  const query = url.searchParams;
  const hangUp = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) hangUp.abort(cancelled());
  });
  const run = await readRun(request, query);
  response.setHeader('X-ClickHouse-Query-Id', query.get('query_id') ?? randomUUID());
  response.setHeader('X-ClickHouse-Server-Display-Name', 'embedded');
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
  response.setHeader('X-ClickHouse-Format', run.statement.format ?? run.format);
  const compressed =
    isOn(query.get('enable_http_compression')) && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  await engine.run(run, hangUp.signal, (reply) =>
    isOn(query.get('wait_end_of_query')) || reply.summary !== null
      ? sendWhole(response, reply, compressed, hangUp.signal)
      : sendPieces(response, reply, compressed, hangUp.signal),
  );
}

const isOn = (value: string | null): boolean => value === '1' || value === 'true';

function checkPassword(request: IncomingMessage, password: string): void {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const given = basic
    ? Buffer.from(basic, 'base64').toString().split(':').slice(1).join(':')
    : String(request.headers['x-clickhouse-key'] ?? '');
  const [left, right] = [Buffer.from(given), Buffer.from(password)];
  if (left.length !== right.length || !timingSafeEqual(left, right)) {
    throw new EngineError(516, 'AUTHENTICATION_FAILED', 'Authentication failed: password is incorrect.');
  }
}

async function readRun(request: IncomingMessage, query: URLSearchParams): Promise<StatementRun> {
  const body = await readBody(request);
  const params = new Map<string, string>();
  const settings = new Map<string, string>();
  for (const [name, value] of query) {
    if (name.startsWith('param_')) params.set(name.slice('param_'.length), value);
    else if (!NOT_SETTINGS.has(name)) settings.set(name, value);
  }
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/.exec(
    request.headers['content-type'] ?? '',
  )?.[1];
  const parts = boundary === undefined ? null : readParts(body.toString(), boundary);
  for (const [name, value] of parts ?? []) {
    if (name.startsWith('param_')) params.set(name.slice('param_'.length), value);
  }
  const text = query.get('query') ?? parts?.get('query');
  const statement = prepareStatement(text || body.toString(), params);
  return {
    statement,
    data: text && !parts ? body : null,
    settings,
    database: query.get('database'),
    format: query.get('default_format') ?? 'TabSeparated',
  };
}

/** Texts of a form by name: parameters that are too long for an address travel so. */
function readParts(body: string, boundary: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const part of body.split(`--${boundary}`)) {
    const end = part.indexOf('\r\n\r\n');
    const name = /name="([^"]+)"/.exec(part.slice(0, end))?.[1];
    if (end >= 0 && name !== undefined) parts.set(name, part.slice(end + 4, -2));
  }
  return parts;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT)
      throw new EngineError(307, 'TOO_MANY_BYTES', 'The request is larger than 256 MiB.');
    chunks.push(chunk);
  }
  const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  const encoding = request.headers['content-encoding'];
  if (!encoding || encoding === 'identity') return body;
  const decompress = inflaters[encoding];
  if (!decompress) {
    throw new EngineError(89, 'UNKNOWN_COMPRESSION_METHOD', `Unknown compression method ${encoding}.`);
  }
  return decompress(body, { maxOutputLength: BODY_LIMIT }).catch(() => {
    throw new EngineError(271, 'CANNOT_DECOMPRESS', `The body is no ${encoding} data or too large.`);
  });
}

/** The whole answer before the first byte: an error is then always a status, never a broken stream. */
async function sendWhole(
  response: ServerResponse,
  reply: Answer,
  compressed: boolean,
  signal: AbortSignal,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of reply.chunks) chunks.push(chunk);
  if (reply.summary) {
    const { readRows, readBytes, writtenRows, elapsedS } = reply.summary;
    response.setHeader(
      'X-ClickHouse-Summary',
      JSON.stringify({
        read_rows: String(readRows),
        read_bytes: String(readBytes),
        written_rows: String(writtenRows),
        written_bytes: String(writtenRows > 0 ? readBytes : 0),
        total_rows_to_read: '0',
        result_rows: String(writtenRows > 0 ? 0 : readRows),
        result_bytes: '0',
        elapsed_ns: String(Math.round(elapsedS * 1e9)),
      }),
    );
  }
  const out = body(response, compressed && chunks.length > 0);
  for (const chunk of chunks) await write(out, chunk, signal);
  out.end();
}

async function sendPieces(
  response: ServerResponse,
  reply: Answer,
  compressed: boolean,
  signal: AbortSignal,
): Promise<void> {
  const tag = randomUUID().replaceAll('-', '').slice(0, 16);
  let out: Writable | null = null;
  try {
    for await (const chunk of reply.chunks) {
      if (out === null) {
        response.setHeader('X-ClickHouse-Exception-Tag', tag);
        out = body(response, compressed);
      }
      await write(out, chunk, signal);
    }
    (out ?? response).end();
  } catch (error) {
    if (out === null || signal.aborted) throw error;
    // The status is on its way already: a server then ends the body with the exception and cuts the connection.
    const text = `${toEngineError(error).wording}\n`;
    const block = `\r\n__exception__\r\n${tag}\r\n${text}${Buffer.byteLength(text)} ${tag}\r\n__exception__\r\n`;
    out.end(block, () => response.destroy());
  }
}

function body(response: ServerResponse, compressed: boolean): Writable {
  if (!compressed) return response;
  response.setHeader('Content-Encoding', 'gzip');
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  gzip.pipe(response);
  return gzip;
}

/**
 * Waits while the client reads slower than the engine writes. One that hangs up reads no more: without the signal its
 * statement would keep a lane for ever.
 */
async function write(out: Writable, chunk: Uint8Array, signal: AbortSignal): Promise<void> {
  if (!out.write(chunk)) await once(out, 'drain', { signal });
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.destroyed || response.headersSent) {
    response.destroy();
    return;
  }
  const wrong = toEngineError(error);
  response.writeHead(STATUSES[wrong.code] ?? 500, {
    'X-ClickHouse-Exception-Code': String(wrong.code),
    'Content-Type': 'text/plain; charset=UTF-8',
  });
  response.end(`${wrong.wording}\n`);
}

function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const match = /Code: (\d+)\.(?:.*?DB::Exception: )+(.*)\(([A-Z0-9_]{3,})\)/s.exec(text);
  if (!match) return new EngineError(1002, 'UNKNOWN_EXCEPTION', text);
  return new EngineError(Number(match[1]), match[3] as string, (match[2] as string).trim());
}
