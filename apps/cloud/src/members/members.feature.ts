import type { Postgres } from '@albedo/postgres/postgres';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import { invitesPart } from '../database/members.tables.ts';
import { membersPart } from '../database/workgroups.tables.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import type { Feature } from '../house/feature.ts';
import type { IdentityProviders } from '../identity-providers/identity-providers.service.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { workgroupMade } from '../workgroups/workgroups.topics.ts';
import { Invites } from './invites.service.ts';
import { InvitesStore } from './invites.store.ts';
import { membersRoutes } from './members.routes.ts';
import { Members } from './members.service.ts';
import { MembersStore } from './members.store.ts';

/** The people of a workgroup, and who is invited to it. */
export function openMembers(of: {
  postgres: Postgres;
  workgroups: Workgroups;
  sessions: Sessions;
  deviceGroups: DeviceGroups;
  identityProviders: IdentityProviders;
  settings: Settings;
  mailer: Mailer;
  audit: Audit;
  sockets: Sockets;
  bus: Bus;
  publicUrl: () => string;
}): Feature<{ members: Members; invites: Invites }> {
  const { postgres, identityProviders } = of;
  const store = new MembersStore(postgres);
  const tell = of.sockets.tellList;
  const members = new Members({ ...of, store, tell });
  const invites = new Invites({
    ...of,
    store: new InvitesStore(postgres),
    members: store,
    tell,
    providerOf: async (workgroup) => (await identityProviders.available(workgroup))[0]?.id ?? null,
  });
  return {
    name: 'members',
    service: { members, invites },
    workgroupPart: {
      tables: [...membersPart, ...invitesPart],
      counted: { members: () => store.countByWorkgroup() },
      closing: async (workgroup) => {
        for (const { userId } of await store.list(workgroup)) await of.sessions.revokeUser(userId);
      },
    },
    hears: [
      hear(workgroupMade, ({ workgroup, displayName, owner }) =>
        invites.activate(workgroup, displayName, owner),
      ),
    ],
    routes: (app) => membersRoutes(app, { ...of, members, invites }),
  };
}
