import { z } from 'zod';
import { can, canInPerson, commandsInPerson, member } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  onShell,
  openedShell,
  remoteAccess,
  shellFactor,
  shellRecording,
  shellRule,
  shellSession,
} from './shells.schema.ts';

export const shellsApi = {
  open: {
    method: 'POST',
    url: '/devices/:wg/:device/shells',
    access: {
      ...commandsInPerson,
      fresh: true,
      rule: { resource: 'DeviceCommand', action: 'run', on: 'all' },
    },
    summary:
      'Opens a remote shell, once for each confirmation, which a sign-in is not; the socket action device:shell then connects to it.',
    schema: { params: onDevice, response: { 200: openedShell } },
  },
  list: {
    method: 'GET',
    url: '/devices/:wg/:device/shells',
    access: can('audit'),
    summary: 'The newest 100 remote shells of a device, newest first.',
    schema: { params: onDevice, response: { 200: z.array(shellSession) } },
  },
  recording: {
    method: 'GET',
    url: '/devices/:wg/:device/shells/:shell/recording',
    access: can('audit'),
    summary: 'What was on the screen of a remote shell, to be played again.',
    schema: { params: onShell, response: { 200: shellRecording } },
  },
  rule: {
    method: 'GET',
    url: '/orgs/:wg/shell-rule',
    access: member,
    summary: 'What the confirmation of a remote shell takes in the workgroup.',
    schema: { params: inWorkgroup, response: { 200: shellRule } },
  },
  setRule: {
    method: 'PUT',
    url: '/orgs/:wg/shell-rule',
    access: { ...canInPerson('manageAccess'), unbound: true, fresh: true },
    summary: 'Asks for a second factor or a passkey before a remote shell, or not any more; for owners.',
    example: { body: { factor: 'any' } },
    schema: {
      params: inWorkgroup,
      body: z.object({ factor: shellFactor }),
      response: { 200: shellRule },
    },
  },
  access: {
    method: 'GET',
    url: '/orgs/:wg/remote-access',
    access: member,
    summary: 'Whether people may reach into devices of the workgroup at all.',
    schema: { params: inWorkgroup, response: { 200: remoteAccess } },
  },
  setAccess: {
    method: 'PUT',
    url: '/orgs/:wg/remote-access',
    access: { ...canInPerson('manageAccess'), unbound: true, fresh: { body: { isAllowed: true } } },
    summary: 'Ends all remote access and forbids it, or allows it again; for owners.',
    example: { body: { isAllowed: true } },
    schema: {
      params: inWorkgroup,
      body: z.object({ isAllowed: z.boolean() }),
      response: { 200: remoteAccess },
    },
  },
} as const satisfies Api;
