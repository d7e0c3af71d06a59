import { approvalsApi } from '@albedo/contract/approvals/approvals.api';
import type { Approval } from '@albedo/contract/approvals/approvals.schema';
import { approvalsEvents } from '@albedo/contract/approvals/approvals.socket';
import { tunnelTarget } from '@albedo/contract/tunnels/target';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { managerOf } from '../access/manager.ts';
import { signedIn } from '../access/signed-in.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { Members } from '../members/members.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { StepUp } from '../step-up/step-up.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { askedMail } from './approvals.mails.ts';
import { type ApprovalBy, Approvals } from './approvals.service.ts';
import { ApprovalsStore } from './approvals.store.ts';
import { approvalsPart } from './approvals.tables.ts';

/** A second person agrees before somebody reaches into a device, where the workgroup wants it. */
export function openApprovals(of: {
  postgres: Postgres;
  registry: DeviceRegistry;
  audit: Audit;
  sockets: Sockets;
  members: Pick<Members, 'list'>;
  deviceGroups: DeviceGroups;
  settings: Settings;
  workgroups: Workgroups;
  mailer: Mailer;
  publicUrl: () => string;
  log: Logger;
  stepUp: StepUp;
}): Feature<Approvals> {
  const { postgres, registry, audit, sockets, stepUp, mailer, settings, workgroups, log } = of;
  const write = async (workgroup: string, approval: Approval): Promise<void> => {
    const deviceName = registry.known(approval.deviceId)?.name ?? approval.deviceId;
    const { displayName } = await workgroups.get(workgroup);
    const asked = { approval, deviceName, workgroup: displayName, publicUrl: of.publicUrl() };
    for (const { userId, email } of await deciders(of, workgroup, approval)) {
      mailer.send(async () => ({
        ...askedMail(email, await settings.languageOf(userId), asked),
        workgroup,
      }));
    }
  };
  const teller = sockets.teller(approvalsEvents, {
    'approval:changed': (changed, scope) => (scope.has(changed.deviceId) ? changed : null),
    'approvalRule:changed': 'everyone',
  });
  const approvals = new Approvals({
    store: new ApprovalsStore(postgres),
    audit,
    stepUp,
    tell: (workgroup, approval) => {
      const deviceName = registry.known(approval.deviceId)?.name ?? approval.deviceId;
      teller.emit(workgroup, 'approval:changed', { ...approval, deviceName });
    },
    write: (workgroup, asked) =>
      void write(workgroup, asked).catch((err: Error) => log.warn({ err }, NOT_WRITTEN)),
    tellRule: (workgroup, rule) => teller.emit(workgroup, 'approvalRule:changed', rule),
  });
  return {
    name: 'approvals',
    service: approvals,
    workgroupPart: { tables: approvalsPart },
    routes: (app) =>
      bind(app, approvalsApi, {
        rule: ({ workgroup }) => approvals.rule(workgroup),
        setRule: (call) => approvals.setRule(call.workgroup, call.body.isNeeded, managerOf(call)),
        list: ({ workgroup }) => approvals.list(workgroup),
        ofDevice: ({ workgroup, params }) => approvals.ofDevice(workgroup, params.device),
        askShell: (call) => approvals.ask(byOf(call), { way: 'shell', target: null }, call.body.reason),
        askTunnel: (call) => {
          const { reason, ...tunnel } = call.body;
          return approvals.ask(byOf(call), { way: 'tunnel', target: tunnelTarget(tunnel) }, reason);
        },
        askFiles: (call) => approvals.ask(byOf(call), { way: 'files', target: null }, call.body.reason),
        decide: (call) => approvals.decide(byOf(call), call.params.approval, call.body.decision),
        withdraw: (call) => approvals.withdraw(byOf(call), call.params.approval),
      }),
  };
}

const NOT_WRITTEN = 'those who may approve could not be written to';

/** Members who may decide about a request: they manage access, see the device, and did not ask themselves. */
async function deciders(
  { members, deviceGroups }: { members: Pick<Members, 'list'>; deviceGroups: DeviceGroups },
  workgroup: string,
  { deviceId, by }: Approval,
) {
  const all = await members.list(workgroup);
  return all.filter(({ email, role, permissions, devGroup }) => {
    const mayDecide = role === 'owner' || permissions.includes('manageAccess');
    const sees = devGroup === null || deviceGroups.scopeOfGroup(workgroup, devGroup).has(deviceId);
    return mayDecide && sees && email !== by;
  });
}

const byOf = (
  call: Parameters<typeof signedIn>[0] & {
    workgroup: string;
    params: { device: string };
    request: { ip: string };
  },
): ApprovalBy => ({
  workgroup: call.workgroup,
  deviceId: call.params.device,
  session: signedIn(call),
  address: call.request.ip,
});
