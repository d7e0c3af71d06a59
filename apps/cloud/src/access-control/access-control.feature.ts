import { accessControlEvents } from '@albedo/contract/access-control/access-control.socket';
import type { Postgres } from '@albedo/postgres/postgres';
import type { ApiTokens } from '../api-tokens/api-tokens.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { Feature } from '../house/feature.ts';
import type { Members } from '../members/members.service.ts';
import { memberMoved } from '../members/members.topics.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { workgroupChanged } from '../workgroups/workgroups.topics.ts';
import { accessControlRoutes } from './access-control.routes.ts';
import { AccessControl } from './access-control.service.ts';
import { AccessControlStore } from './access-control.store.ts';
import { accessControlPart } from './access-control.tables.ts';
import { accessRulesChanged } from './access-control.topics.ts';
import { Why } from './why.ts';

/** Rules on top of permissions, for workgroups with the addon. */
export function openAccessControl(of: {
  postgres: Postgres;
  members: Members;
  apiTokens: ApiTokens;
  audit: Audit;
  sockets: Sockets;
  bus: Bus;
}): Feature<AccessControl> {
  const { postgres, sockets } = of;
  const accessControl = new AccessControl({ ...of, store: new AccessControlStore(postgres) });
  const why = new Why({ ...of, accessControl });
  const teller = sockets.teller(accessControlEvents, { 'access-control:changed': 'everyone' });
  return {
    name: 'access-control',
    service: accessControl,
    workgroupPart: { tables: accessControlPart },
    hears: [
      hear(accessRulesChanged, (changed, { isOwn }) => {
        accessControl.reload(changed.workgroup);
        if (isOwn) teller.emit(changed.workgroup, 'access-control:changed', changed);
      }),
      // An addon that is switched on or off is a change of the workgroup.
      hear(workgroupChanged, ({ workgroup }, { isOwn }) => {
        if (isOwn) accessControl.changed(workgroup);
      }),
      hear(memberMoved, ({ workgroup, userId, isMember, by }) => {
        if (isMember) return accessControl.changed(workgroup);
        return accessControl.forget(workgroup, { principalType: 'User', principalId: userId }, by);
      }),
    ],
    routes: (app) => accessControlRoutes(app, accessControl, why),
  };
}
