import { BRAND_IMAGE_BYTES } from '@albedo/contract/branding/brand-images';
import { brandingApi } from '@albedo/contract/branding/branding.api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actorOf } from '../access/actor.ts';
import { managerOf } from '../access/manager.ts';
import { bind, recheckAccess } from '../http/bind.ts';
import type { Branding } from './branding.service.ts';
import type { BrandImage } from './branding.store.ts';
import { refusal } from './refusal.ts';

/**
 * How the browser has to take an image of somebody else: as a download, of exactly this type, and if ever it is opened
 * as a page, without scripts and in an origin of its own.
 */
const ONLY_AN_IMAGE = {
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

export function brandingRoutes(app: FastifyInstance, branding: Branding): void {
  bind(app, brandingApi, {
    ofHost: ({ request, reply }) => {
      reply.header('cache-control', 'public, max-age=60');
      return branding.ofHost(request.hostname);
    },
    imageOfHost: async ({ params, request, reply }) => {
      const image = await branding.hostImage(request.hostname, params.kind);
      // The address carries the version, so the image behind it never changes.
      const isNamed = (request.query as { v?: string }).v === image.version;
      reply.header('cache-control', isNamed ? 'public, max-age=31536000, immutable' : 'public, max-age=60');
      return send(reply, image);
    },
    setLogo: async (call) =>
      branding.setImage(call.workgroup, 'logo', await imageIn(call.request), managerOf(call)),
    logo: async ({ workgroup, reply }) => send(reply, await branding.image(workgroup, 'logo')),
    removeLogo: (call) => branding.removeImage(call.workgroup, 'logo', managerOf(call)),
    setFavicon: async (call) =>
      branding.setImage(call.workgroup, 'favicon', await imageIn(call.request), managerOf(call)),
    favicon: async ({ workgroup, reply }) => send(reply, await branding.image(workgroup, 'favicon')),
    removeFavicon: (call) => branding.removeImage(call.workgroup, 'favicon', managerOf(call)),
    hosts: () => branding.hosts(),
    setHost: (call) => branding.setHost(call.params.host, call.body.theme, actorOf(call)),
    removeHost: (call) => branding.removeHost(call.params.host, actorOf(call)),
    hostImage: async ({ params, reply }) => send(reply, await branding.hostImage(params.host, params.kind)),
    setHostImage: async (call) => {
      const { host, kind } = call.params;
      return branding.setHostImage(host, kind, await imageIn(call.request), actorOf(call));
    },
    removeHostImage: ({ params, ...call }) =>
      branding.removeHostImage(params.host, params.kind, actorOf(call)),
  });
}

function send(reply: FastifyReply, { type, content }: BrandImage): Buffer {
  const extension = type.replace('image/', '').replace('+xml', '');
  reply
    .headers(ONLY_AN_IMAGE)
    .header('content-disposition', `attachment; filename="image.${extension}"`)
    .type(type);
  return Buffer.from(content);
}

/** The one file of a form. Throws `branding.image_invalid`. */
async function imageIn(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw refusal('issue.no_form');
  const part = await request.file({ limits: { files: 1, fileSize: BRAND_IMAGE_BYTES } });
  if (!part) throw refusal('issue.no_file');
  const content = await part.toBuffer();
  if (part.file.truncated) throw refusal('issue.image_large');
  await recheckAccess(request);
  return content;
}
