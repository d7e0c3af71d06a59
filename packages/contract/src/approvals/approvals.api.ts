import { z } from 'zod';
import { canInPerson, commandsInPerson, member, memberInPerson } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  approval,
  approvalDecision,
  approvalRule,
  newApproval,
  newTunnelApproval,
  onApproval,
} from './approvals.schema.ts';

const reason = 'The inverter stopped at noon.';

export const approvalsApi = {
  rule: {
    method: 'GET',
    url: '/orgs/:wg/approval-rule',
    access: member,
    summary: 'Whether a second person has to agree before somebody reaches into a device.',
    schema: { params: inWorkgroup, response: { 200: approvalRule } },
  },
  setRule: {
    method: 'PUT',
    url: '/orgs/:wg/approval-rule',
    access: { ...canInPerson('manageAccess'), unbound: true, fresh: true },
    summary: 'Asks for a second person before somebody reaches into a device, or not any more; for owners.',
    example: { body: { isNeeded: false } },
    schema: {
      params: inWorkgroup,
      body: z.object({ isNeeded: z.boolean() }),
      response: { 200: approvalRule },
    },
  },
  list: {
    method: 'GET',
    url: '/orgs/:wg/approvals',
    access: { ...canInPerson('manageAccess'), unbound: true },
    summary: 'The newest 200 requests to reach into devices of the workgroup, newest first.',
    schema: { params: inWorkgroup, response: { 200: z.array(approval) } },
  },
  ofDevice: {
    method: 'GET',
    url: '/devices/:wg/:device/approvals',
    access: memberInPerson,
    summary: 'The newest 50 requests to reach into a device, newest first.',
    schema: { params: onDevice, response: { 200: z.array(approval) } },
  },
  askShell: {
    method: 'POST',
    url: '/devices/:wg/:device/approvals/shell',
    access: { ...commandsInPerson, rule: { resource: 'DeviceCommand', action: 'run', on: 'all' } },
    summary: 'Asks for the approval of a remote shell.',
    example: { body: { reason } },
    schema: { params: onDevice, body: newApproval, response: { 200: approval } },
    ratePerMinute: 20,
  },
  askTunnel: {
    method: 'POST',
    url: '/devices/:wg/:device/approvals/tunnel',
    access: canInPerson('tunnel'),
    summary: 'Asks for the approval of one tunnel, to exactly this port.',
    example: { body: { reason, kind: 'tcp', host: '192.168.1.20', port: 502 } },
    schema: { params: onDevice, body: newTunnelApproval, response: { 200: approval } },
    ratePerMinute: 20,
  },
  askFiles: {
    method: 'POST',
    url: '/devices/:wg/:device/approvals/files',
    access: canInPerson('controlDevices'),
    summary: 'Asks for the approval to look through the folders of a device, for half an hour.',
    example: { body: { reason } },
    schema: { params: onDevice, body: newApproval, response: { 200: approval } },
    ratePerMinute: 20,
  },
  decide: {
    method: 'PUT',
    url: '/devices/:wg/:device/approvals/:approval',
    access: { ...canInPerson('manageAccess'), fresh: { body: { decision: 'approved' } } },
    summary: 'Approves what somebody else asked for, once for each confirmation, or refuses it.',
    example: { body: { decision: 'refused' } },
    schema: { params: onApproval, body: approvalDecision, response: { 200: approval } },
  },
  withdraw: {
    method: 'DELETE',
    url: '/devices/:wg/:device/approvals/:approval',
    access: memberInPerson,
    summary: 'Withdraws a request of one’s own that was not used yet.',
    schema: { params: onApproval, response: { 200: approval } },
  },
} as const satisfies Api;

export const approvalsScreens = {
  '/admin/access/approvals': {
    ...canInPerson('manageAccess'),
    unbound: true,
    needs: ['GET /orgs/:wg/approvals'],
  },
} as const satisfies Screens;
