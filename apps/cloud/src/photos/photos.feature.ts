import { photosApi } from '@albedo/contract/photos/photos.api';
import type { Photo } from '@albedo/contract/photos/photos.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import { managerOf } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import { hear } from '../bus/bus.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { FileStore } from '../files/files.store.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { statusSaid } from '../ingest/ingest.topics.ts';
import { defineJob } from '../jobs/job.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { PhotoFetcher } from './photos.fetcher.ts';
import { extensionOf, Photos } from './photos.service.ts';
import { PhotosStore } from './photos.store.ts';
import { photosPart } from './photos.tables.ts';

/** Photos that devices take. */
export function openPhotos(of: {
  postgres: Postgres;
  files: FileStore;
  deviceAsks: DeviceAsks;
  registry: DeviceRegistry;
  workgroups: Workgroups;
  sockets: Sockets;
  metrics: Metrics;
  audit: Audit;
  log: Logger;
}): Feature<Photos> {
  const store = new PhotosStore(of.postgres);
  const tell = of.sockets.tellList;
  const photos = new Photos({ ...of, store, tell });
  const stored = of.metrics.counter('albedo_photo_bytes_total', 'Bytes of photos that were stored.');
  const fetcher = new PhotoFetcher({ ...of, store, tell, onStored: (bytes) => stored.inc(bytes) });
  return {
    name: 'photos',
    service: photos,
    hears: [hear(statusSaid, ({ device, message }) => fetcher.heard(device, message.photos))],
    workgroupPart: {
      tables: photosPart,
      exported: (workgroup, signal) => photos.exported(workgroup, signal),
      closing: (workgroup) => photos.forgetWorkgroup(workgroup),
    },
    jobs: (jobs) =>
      jobs.add(
        defineJob({
          name: 'photos-tidy',
          payload: z.object({}),
          limitS: 3000,
          retry: { times: 0, afterS: 60, atMostS: 60 },
          oneAtATime: { key: () => 'all', waiting: 'one' },
          schedule: { cron: '*/10 * * * *', zone: 'UTC', payload: {} },
          run: ({ signal }) => photos.tidy(signal),
        }),
      ),
    metrics: (metrics) =>
      metrics.gauge('albedo_photo_fetches', 'Devices whose photos are fetched.', () => fetcher.size),
    stop: () => fetcher.stop(),
    routes: (app) =>
      bind(app, photosApi, {
        all: (call) => photos.page(call, call.query),
        cameras: (call) => photos.cameras(call),
        uploads: (call) => photos.page(call, { ...call.query, device: call.params.device }),
        slideshow: (call) => photos.slideshow(call, call.params.device, call.body),
        image: async (call) => {
          const { photo, bytes } = await photos.image(call, call.params.device, call.params.photo);
          asPicture(call.reply, photo);
          return bytes;
        },
        remove: async (call) => {
          await photos.remove(call, call.params.device, call.params.photo, managerOf(call));
          return {};
        },
      }),
  };
}

/** As a download of exactly this type, and if ever it is opened as a page, without scripts and in an origin of its own. */
function asPicture(reply: FastifyReply, photo: Photo): void {
  const time = new Date(photo.takenAt).toISOString().slice(0, 19).replaceAll(':', '');
  const name = `${photo.source.replace(/[^\w-]+/g, '-')}-${time}.${extensionOf(photo)}`;
  reply
    .headers({
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-disposition': `attachment; filename="${name}"`,
      'content-length': String(photo.size),
    })
    .type(photo.type);
}
