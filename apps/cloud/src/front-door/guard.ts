import type { Guard } from '../access/guard.ts';
import type { Quotas } from '../access/quotas.ts';
import type { AccessControl } from '../access-control/access-control.service.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import type { Displays } from '../displays/displays.service.ts';
import type { Enrolment } from '../enrolment/enrolment.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sessions, SocketTickets } from '../sessions/sessions.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';

/** Those who know who may pass. */
export interface Keepers {
  sessions: Sessions;
  tickets: SocketTickets;
  enrolment: Enrolment;
  displays: Displays;
  registry: DeviceRegistry;
  deviceGroups: DeviceGroups;
  workgroups: Workgroups;
  accessControl: AccessControl;
  quotas: Quotas;
}

/** Who may pass, decided from memory. */
export function guardOf(keepers: Keepers): Guard {
  const { sessions, tickets, enrolment, displays, registry } = keepers;
  const { deviceGroups, workgroups, accessControl, quotas } = keepers;
  return {
    quotas,
    session: (token) => sessions.verify(token),
    use: (session, use) => sessions.use(session, use),
    ticket: (given) => tickets.take(given),
    oneTimeCode: (token) =>
      sessions.verifyPending(token, 'code').catch(() => {
        throw new AppError('session.code_expired');
      }),
    enrolling: (token) => sessions.verifyEnrolling(token),
    enrolment: async (token) => void (await enrolment.check(token)),
    display: (token, address) => displays.caller(token, address),
    isOpen: (workgroup) => !workgroups.isSuspended(workgroup),
    hasAddon: (workgroup, addon) => workgroups.hasAddon(workgroup, addon),
    rulesAllow: (session, workgroup, { resource, id, action }) =>
      accessControl.allows(session, workgroup, resource, id, action),
    scope: (session, workgroup) => deviceGroups.scopeOf(session, workgroup),
    scopesIn: (workgroup) => deviceGroups.scopesIn(workgroup),
    device: async (workgroup, device, scope) => {
      const isOwn = (await registry.find(device))?.workgroup === workgroup;
      if (!isOwn || !scope.has(device)) throw new AppError('device.not_found');
    },
  };
}
