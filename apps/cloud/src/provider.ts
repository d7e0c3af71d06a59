import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { announcementsRoutes } from './announcements/announcements.routes.ts';
import { Announcements } from './announcements/announcements.service.ts';
import { AnnouncementsStore } from './announcements/announcements.store.ts';
import { announcementsChanged } from './announcements/announcements.topics.ts';
import type { Bus } from './bus/bus.ts';
import type { Config } from './config/config.ts';
import type { Engines } from './engines/engines.ts';
import type { Mailer } from './mail/mail.service.ts';
import type { Records } from './records.ts';
import type { Settings } from './settings/settings.service.ts';
import type { Sockets } from './sockets/sockets.server.ts';
import { supportRoutes } from './support/support.routes.ts';
import { Support } from './support/support.service.ts';
import { SupportStore } from './support/support.store.ts';
import { Staff } from './users/staff.ts';

/** Mounts what the provider tells people, and what people ask the provider. */
export function mountProvider(of: {
  app: FastifyInstance;
  config: Config;
  engines: Engines;
  records: Records;
  sockets: Sockets;
  bus: Bus;
  mailer: Mailer;
  settings: Settings;
  publicUrl: () => string;
  log: Logger;
}): void {
  const { app, config, engines, records, sockets, bus, mailer, settings, publicUrl, log } = of;
  const { postgres, files } = engines;
  const { audit } = records;
  bus.subscribe(announcementsChanged, () => sockets.emitToAll('announcement', {}));
  const store = new AnnouncementsStore(postgres);
  announcementsRoutes(app, new Announcements({ store, files, audit, bus, log }), files);
  const support = new Support({
    store: new SupportStore(postgres),
    files,
    mailer,
    settings,
    audit,
    supportEmail: config.supportEmail,
    staff: new Staff(records.sessionsStore, config),
    tell: (list, workgroup) => sockets.listChanged(list, workgroup),
    publicUrl,
  });
  supportRoutes(app, support, files);
}
