import type { Postgres } from '@albedo/postgres/postgres';
import type { Audit } from '../audit/audit.service.ts';
import type { Config } from '../config/config.ts';
import type { FileStore } from '../files/files.store.ts';
import type { Feature } from '../house/feature.ts';
import type { ExportFile } from '../house/workgroup-part.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Staff } from '../users/staff.ts';
import { supportRoutes } from './support.routes.ts';
import { Support } from './support.service.ts';
import { SupportStore } from './support.store.ts';
import { supportPart } from './support.tables.ts';

/** What people ask the staff. */
export function openSupport(of: {
  config: Config;
  postgres: Postgres;
  files: FileStore;
  mailer: Mailer;
  settings: Settings;
  audit: Audit;
  staff: Staff;
  sockets: Sockets;
  publicUrl: () => string;
}): Feature<Support> {
  const { config, postgres, files, sockets } = of;
  const store = new SupportStore(postgres);
  const support = new Support({
    ...of,
    store,
    supportEmail: config.supportEmail,
    tell: sockets.tellList,
  });
  return {
    name: 'support',
    service: support,
    workgroupPart: {
      tables: supportPart,
      exported: (workgroup) => attachmentsOf(workgroup, store, files),
      closing: async (workgroup) => {
        for (const { key } of await store.attachments(workgroup)) await files.remove(key);
      },
    },
    routes: (app) => supportRoutes(app, support, files),
  };
}

/** `attachments/<ticket>/<file>`: how a file was called stands in its record. */
async function* attachmentsOf(
  workgroup: string,
  store: SupportStore,
  files: FileStore,
): AsyncGenerator<ExportFile> {
  for (const { key, size } of await store.attachments(workgroup)) {
    const content = await files.get(key);
    if (content) yield { name: key.replace(/^support\//, 'attachments/'), size, content };
  }
}
