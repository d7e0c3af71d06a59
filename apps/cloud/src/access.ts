import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { accessControlRoutes } from './access-control/access-control.routes.ts';
import type { AccessControl } from './access-control/access-control.service.ts';
import { accessRulesChanged } from './access-control/access-control.topics.ts';
import { Why } from './access-control/why.ts';
import { apiTokensRoutes } from './api-tokens/api-tokens.routes.ts';
import { ApiTokens } from './api-tokens/api-tokens.service.ts';
import { ApiTokensStore } from './api-tokens/api-tokens.store.ts';
import type { Bus } from './bus/bus.ts';
import type { Config } from './config/config.ts';
import type { Engines } from './engines/engines.ts';
import type { Shutdown } from './house/shutdown.ts';
import type { Mailer } from './mail/mail.service.ts';
import type { MembersStore } from './members/members.store.ts';
import { memberMoved } from './members/members.topics.ts';
import type { Records } from './records.ts';
import { rolesRoutes } from './roles/roles.routes.ts';
import { Roles } from './roles/roles.service.ts';
import { RolesStore } from './roles/roles.store.ts';
import { apiTokenUsed } from './sessions/sessions.topics.ts';
import type { Settings } from './settings/settings.service.ts';
import type { TellList } from './sockets/lists.ts';
import { workgroupChanged } from './workgroups/workgroups.topics.ts';

/** What says who may do what, besides permissions. */
export interface Access {
  accessControl: AccessControl;
  why: Why;
  roles: Roles;
  apiTokens: ApiTokens;
}

export async function openAccess(of: {
  config: Config;
  engines: Engines;
  records: Records;
  accessControl: AccessControl;
  bus: Bus;
  tell: TellList;
  mailer: Mailer;
  membersStore: MembersStore;
  settings: Settings;
  publicUrl: () => string;
  log: Logger;
  shutdown: Shutdown;
}): Promise<Access> {
  const {
    config,
    engines,
    records,
    accessControl,
    bus,
    tell,
    mailer,
    membersStore,
    settings,
    publicUrl,
    log,
    shutdown,
  } = of;
  const { postgres } = engines;
  const { audit, sessions, deviceGroups, workgroups } = records;
  // An addon that is switched on or off is a change of the workgroup.
  bus.subscribe(accessRulesChanged, ({ workgroup }) => accessControl.reload(workgroup));
  bus.subscribe(workgroupChanged, ({ workgroup }, { isOwn }) => {
    if (isOwn) accessControl.changed(workgroup);
  });
  const tokens = new ApiTokensStore(postgres);
  const apiTokens = new ApiTokens({
    store: tokens,
    sessions,
    workgroups,
    deviceGroups,
    settings,
    mailer,
    audit,
    tell,
    publicUrl,
    log,
  });
  await apiTokens.start({ looks: config.roles.has('jobs') });
  shutdown.add('API tokens', () => apiTokens.stop());
  bus.subscribe(apiTokenUsed, (id) => apiTokens.noteUse(id));
  bus.subscribe(memberMoved, async ({ workgroup, userId, isMember, by }) => {
    await apiTokens.endUnbacked({ workgroup, makerId: userId });
    if (isMember) accessControl.changed(workgroup);
    else await accessControl.forget(workgroup, { principalType: 'User', principalId: userId }, by);
  });
  return {
    accessControl,
    apiTokens,
    why: new Why({ accessControl, members: membersStore, tokens }),
    roles: new Roles({ store: new RolesStore(postgres), accessControl, audit }),
  };
}

export function accessRoutes(app: FastifyInstance, { accessControl, why, roles, apiTokens }: Access): void {
  accessControlRoutes(app, accessControl, why);
  rolesRoutes(app, roles);
  apiTokensRoutes(app, apiTokens);
}
