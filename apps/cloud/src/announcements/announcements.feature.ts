import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { FileStore } from '../files/files.store.ts';
import type { Feature } from '../house/feature.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { announcementsRoutes } from './announcements.routes.ts';
import { Announcements } from './announcements.service.ts';
import { AnnouncementsStore } from './announcements.store.ts';
import { announcementsChanged } from './announcements.topics.ts';

/** What the staff tell everybody, or some workgroups. */
export function openAnnouncements(of: {
  postgres: Postgres;
  files: FileStore;
  audit: Audit;
  sockets: Sockets;
  bus: Bus;
  log: Logger;
}): Feature<Announcements> {
  const { postgres, files, sockets } = of;
  const announcements = new Announcements({ ...of, store: new AnnouncementsStore(postgres) });
  return {
    name: 'announcements',
    service: announcements,
    hears: [hear(announcementsChanged, () => sockets.emitToAll('announcement', {}))],
    routes: (app) => announcementsRoutes(app, announcements, files),
  };
}
