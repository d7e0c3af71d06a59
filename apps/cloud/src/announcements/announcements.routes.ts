import { announcementsApi } from '@albedo/contract/announcements/announcements.api';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../access/actor.ts';
import { signedIn } from '../access/signed-in.ts';
import { AppError } from '../errors/app-error.ts';
import type { FileStore } from '../files/files.store.ts';
import { bind } from '../http/bind.ts';
import { receiveForm } from '../http/receive-form.ts';
import type { Announcements } from './announcements.service.ts';

/** The address of a picture changes with it. */
const FOR_EVER = 'public, max-age=31536000, immutable';

export function announcementsRoutes(
  app: FastifyInstance,
  announcements: Announcements,
  store: FileStore,
): void {
  bind(app, announcementsApi, {
    mine: (call) => announcements.ofUser(signedIn(call)._id),
    dismiss: async (call) => {
      await announcements.dismiss(call.params.announcement, signedIn(call)._id);
      return {};
    },
    list: () => announcements.list(),
    create: (call) => announcements.create(call.body, actorOf(call)),
    update: (call) => announcements.update(call.params.announcement, call.body, actorOf(call)),
    remove: async (call) => {
      await announcements.remove(call.params.announcement, actorOf(call));
      return {};
    },
    setThumbnail: (call) =>
      receiveForm(call, { store, prefix: 'announcements' }, ({ files: [file] }) => {
        if (!file) throw new AppError('file.missing');
        return announcements.setThumbnail(call.params.announcement, file, actorOf(call));
      }),
    removeThumbnail: (call) => announcements.removeThumbnail(call.params.announcement, actorOf(call)),
    thumbnail: async ({ params, reply }) => {
      const { bytes, type } = await announcements.thumbnail(params.announcement);
      reply.type(type).header('cache-control', FOR_EVER);
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
      return bytes;
    },
  });
}

function actorOf(call: { session: SessionClaims | null; request: FastifyRequest }): Actor {
  const { _id: userId, email } = signedIn(call);
  return { userId, email, address: call.request.ip };
}
