import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** File names with a content hash, as the web build makes them. */
const HASHED = /^[^\\/]+-[\w-]{8}\.\w+$/;
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};
const ENDS = { br: '.br', gzip: '.gz', identity: '' } as const;
type Encoding = keyof typeof ENDS;
/** What is kept of the build in memory; all of it for browsers that take brotli is a fourth. */
const KEPT_BYTES = 10_000_000;
export const ONE_YEAR = 'public, max-age=31536000, immutable';

interface Asset {
  bytes: Buffer;
  encoding: Encoding;
}

/**
 * Serves the hashed files of the build out of memory: a page asks for a hundred of them at once, and to open, stream and close each
 * would cost more than to send it. What is no such file is served from the disk, or is none.
 */
export function serveAssets(app: FastifyInstance, root: string): void {
  const kept = new Map<string, Asset>();
  let keptBytes = 0;

  async function assetOf(name: string, wanted: Encoding): Promise<Asset> {
    const key = name + ENDS[wanted];
    const known = kept.get(key);
    if (known) return known;
    // Small ones have no twin that is compressed.
    const asset = await read(join(root, 'assets', name), wanted).catch(() =>
      read(join(root, 'assets', name), 'identity'),
    );
    if (!kept.has(key) && keptBytes + asset.bytes.length <= KEPT_BYTES) {
      kept.set(key, asset);
      keptBytes += asset.bytes.length;
    }
    return asset;
  }

  app.get<{ Params: { name: string } }>(
    '/assets/:name',
    { schema: { hide: true } },
    async (request, reply) => {
      const { name } = request.params;
      const type = TYPES[extname(name)];
      const asset =
        type && HASHED.test(name)
          ? await assetOf(name, encodingFor(request.headers['accept-encoding'])).catch(() => null)
          : null;
      if (!type || !asset) return reply.sendFile(join('assets', name));
      if (asset.encoding !== 'identity') reply.header('content-encoding', asset.encoding);
      return reply
        .header('cache-control', ONE_YEAR)
        .header('vary', 'accept-encoding')
        .type(type)
        .send(asset.bytes);
    },
  );
}

const read = async (file: string, encoding: Encoding): Promise<Asset> => ({
  bytes: await readFile(file + ENDS[encoding]),
  encoding,
});

/** The best that the client takes; one that takes none of them, or says nothing, gets the file as it is. */
function encodingFor(accepted = ''): Encoding {
  const taken = new Set(
    accepted
      .split(',')
      .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
      .map((one) => one.split(';')[0]?.trim().toLowerCase()),
  );
  if (taken.has('br')) return 'br';
  return taken.has('gzip') ? 'gzip' : 'identity';
}
