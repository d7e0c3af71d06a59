import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { pathForLog } from '../errors/plain.ts';
import { ONE_YEAR, serveAssets } from './assets.ts';

/** Where `npm run build` leaves the web app. */
export const WEB_ROOT = fileURLToPath(new URL('../../../web/dist', import.meta.url));

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Albedo</title>
<body style="font-family: system-ui; margin: 4rem auto; max-width: 40rem">
<h1>The web app is not built</h1>
<p>The server is running, but there is no web app to show. Run <code>npm run build</code>, then reload this page.</p>`;

/** File names with a content hash, as the web build makes them. */
const HASHED = /[\\/]assets[\\/][^\\/]+-[\w-]{8}\.\w+(\.\w+)*$/;

/**
 * Serves the web app: files as they are (the `.br` or `.gz` twin where there is one), hashed ones for a year, and
 * `index.html` for every page address, as `dress` makes it for the host name, and what installs the app there. Everything else that no route answers is a 404 of the API's form.
 */
export async function serveWeb(
  app: FastifyInstance,
  root = WEB_ROOT,
  dress: (host: string, page: () => string) => string | null = () => null,
  manifestOf: (host: string) => object = () => ({}),
): Promise<void> {
  const index = join(root, 'index.html');
  const isBuilt = () => existsSync(index);
  const sendPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const page = dress(request.hostname, () => readFileSync(index, 'utf8'));
    if (page === null) return reply.sendFile('index.html');
    return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page);
  };
  if (isBuilt()) {
    await app.register(fastifyStatic, {
      root,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', cachingOf(path));
        reply.header('vary', 'accept-encoding');
      },
    });
    serveAssets(app, root);
  }
  app.get('/manifest.webmanifest', { schema: { hide: true } }, (request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(manifestOf(request.hostname))),
  );
  app.get('/', { schema: { hide: true } }, (request, reply) =>
    isBuilt() ? sendPage(request, reply) : notBuilt(reply),
  );
  app.setNotFoundHandler((request, reply) => {
    if (!wantsPage(request)) throw new AppError('request.not_found', { url: pathForLog(request.url) });
    return isBuilt() && reply.sendFile !== undefined ? sendPage(request, reply) : notBuilt(reply);
  });
}

function cachingOf(path: string): string {
  // A page from a cache would ask for the files of an old build.
  if (/index\.html(\.\w+)?$/.test(path)) return 'no-store';
  return HASHED.test(path) ? ONE_YEAR : 'no-cache';
}

const notBuilt = (reply: FastifyReply): FastifyReply =>
  reply.status(503).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(NOT_BUILT);

/** A browser that opens a page, as opposed to a script that misses a file or an endpoint. */
function wantsPage(request: FastifyRequest): boolean {
  const path = request.url.split('?')[0] ?? '';
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    (request.headers.accept ?? '').includes('text/html') &&
    !path.startsWith(`${API_PREFIX}/`) &&
    !path.startsWith('/assets/')
  );
}
