import { z } from 'zod';
import { can, canInPerson, member } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { longAction } from '../long-actions/long-actions.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  applyDeviceSchedule,
  boundsChange,
  changedDeviceSchedule,
  controlPolicy,
  controlPolicyChange,
  deviceQuestion,
  deviceSchedule,
  deviceSetpoint,
  handedOut,
  newDeviceSchedule,
  newSchedule,
  onDeviceSchedule,
  onSchedule,
  override,
  rehearsal,
  rehearsedSchedule,
  release,
  schedule,
  scheduleDecision,
  scheduleVersion,
  setpointQuestion,
  someDevices,
} from './schedules.schema.ts';

const addon = { addon: 'schedules' } as const;
const reading = { ...member, ...addon } as const;
const sharing = { ...can('coordinate'), ...addon, unbound: true } as const;
/** What reaches a device, or is meant to. */
const controlling = { ...can('controlDevices'), ...addon } as const;

const PATH = 'operator/setpoint_activepower';
const ENTRIES = [
  { path: PATH, datetime: '2026-12-01T10:00:00Z', value: '60%' },
  { path: PATH, datetime: '2026-12-01T14:00:00Z', value: '' },
];
const OWN = { setpoint: PATH, name: 'Grid works', entries: ENTRIES };
const REASON = 'The grid operator asked for it.';

/** Source: specification 2, section 7; what it does not name is ours. */
export const schedulesApi = {
  list: {
    method: 'GET',
    url: '/schedules/:wg',
    access: reading,
    summary: 'Shared schedules, by name.',
    schema: { params: inWorkgroup, response: { 200: z.array(schedule) } },
  },
  create: {
    method: 'POST',
    url: '/schedules/:wg',
    access: sharing,
    summary: 'Makes a shared schedule. Nothing reaches a device by it.',
    example: { body: { name: 'Midday limit', entries: ENTRIES } },
    schema: { params: inWorkgroup, body: newSchedule, response: { 200: schedule } },
  },
  change: {
    method: 'PUT',
    url: '/schedules/:wg/:schedule',
    access: sharing,
    summary: 'Changes a shared schedule; what devices have of it stays as it is.',
    example: { body: { name: 'Midday limit', entries: ENTRIES } },
    schema: { params: onSchedule, body: newSchedule, response: { 200: schedule } },
  },
  remove: {
    method: 'DELETE',
    url: '/schedules/:wg/:schedule',
    access: sharing,
    summary: 'Removes a shared schedule; what devices have of it stays as it is.',
    schema: { params: onSchedule, response: { 200: z.object({}) } },
  },
  handOut: {
    method: 'POST',
    url: '/schedules/:wg/:schedule/devices',
    access: controlling,
    summary:
      'Makes a draft of a shared schedule for each of these devices and its paths; names paths that a device lacks.',
    example: { body: { devices: ['5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11'] } },
    schema: { params: onSchedule, body: someDevices, response: { 200: handedOut } },
  },
  ofDevices: {
    method: 'GET',
    url: '/schedules/:wg/device',
    access: reading,
    summary:
      'Schedules of the devices that the caller may see, the newest first; of one device with `device`.',
    schema: { params: inWorkgroup, querystring: deviceQuestion, response: { 200: z.array(deviceSchedule) } },
  },
  setpoints: {
    method: 'GET',
    url: '/schedules/:wg/setpoints',
    access: reading,
    summary: 'Setpoints that devices said they have; of one device with `device`.',
    schema: { params: inWorkgroup, querystring: deviceQuestion, response: { 200: z.array(deviceSetpoint) } },
  },
  discover: {
    method: 'POST',
    url: '/schedules/:wg/device/:device/discover',
    access: controlling,
    summary: 'Asks a device for its setpoints and the schedules that lie there, as a long action.',
    schema: { params: onDevice, response: { 200: longAction } },
    ratePerMinute: 20,
  },
  bounds: {
    method: 'PUT',
    url: '/schedules/:wg/device/:device/bounds',
    access: { ...canInPerson('controlDevices'), ...addon, fresh: true },
    summary: 'Says what schedules of a setpoint have to keep to.',
    example: { body: { setpoint: PATH, bounds: { least: 30 } } },
    schema: { params: onDevice, body: boundsChange, response: { 200: deviceSetpoint } },
  },
  versions: {
    method: 'GET',
    url: '/schedules/:wg/device/:device/versions',
    access: reading,
    summary:
      'The newest 200 versions that were sent to a setpoint, newest first, with who and what became of them.',
    example: { query: { setpoint: PATH } },
    schema: { params: onDevice, querystring: setpointQuestion, response: { 200: z.array(scheduleVersion) } },
  },
  rehearse: {
    method: 'POST',
    url: '/schedules/:wg/device/:device/rehearse',
    access: controlling,
    summary:
      'A dry run: what each entry would put into which register of which inverter, and what stands against it.',
    example: { body: { setpoint: PATH, entries: ENTRIES } },
    schema: { params: onDevice, body: rehearsedSchedule, response: { 200: rehearsal } },
    ratePerMinute: 60,
  },
  add: {
    method: 'POST',
    url: '/schedules/:wg/device/:device',
    access: controlling,
    summary:
      'Makes a schedule of a device: a draft, or with `apply` one that is applied as soon as it may be.',
    example: { body: OWN },
    schema: { params: onDevice, body: newDeviceSchedule, response: { 200: deviceSchedule } },
  },
  edit: {
    method: 'PUT',
    url: '/schedules/:wg/device/:device/:deviceSchedule',
    access: controlling,
    summary:
      'Changes a schedule of a device, which makes it a draft and takes back an approval; what holds goes on.',
    example: { body: OWN },
    schema: { params: onDeviceSchedule, body: changedDeviceSchedule, response: { 200: deviceSchedule } },
  },
  removeOfDevice: {
    method: 'DELETE',
    url: '/schedules/:wg/device/:device/:deviceSchedule',
    access: controlling,
    summary: 'Removes a schedule of a device that does not hold; its versions stay.',
    schema: { params: onDeviceSchedule, response: { 200: z.object({}) } },
  },
  apply: {
    method: 'POST',
    url: '/schedules/:wg/device/:device/:deviceSchedule',
    access: controlling,
    summary:
      'Applies a schedule: asks for a second person where the workgroup wants one, else sends it. Answers at once.',
    example: { body: {} },
    schema: { params: onDeviceSchedule, body: applyDeviceSchedule, response: { 200: deviceSchedule } },
    ratePerMinute: 60,
  },
  decide: {
    method: 'PUT',
    url: '/schedules/:wg/device/:device/:deviceSchedule/approval',
    access: { ...canInPerson('controlDevices'), ...addon, fresh: { body: { decision: 'approved' } } },
    summary: 'Approves what somebody else wants to apply, once for each confirmation, or refuses it.',
    example: { body: { decision: 'refused' } },
    schema: { params: onDeviceSchedule, body: scheduleDecision, response: { 200: deviceSchedule } },
  },
  withdraw: {
    method: 'DELETE',
    url: '/schedules/:wg/device/:device/:deviceSchedule/approval',
    access: controlling,
    summary: 'Takes back what waits for approval; it is a draft again.',
    schema: { params: onDeviceSchedule, response: { 200: deviceSchedule } },
  },
  confirm: {
    method: 'PUT',
    url: '/schedules/:wg/device/:device/:deviceSchedule/trial',
    access: controlling,
    summary: 'Keeps what is on trial.',
    schema: { params: onDeviceSchedule, response: { 200: deviceSchedule } },
  },
  override: {
    method: 'POST',
    url: '/schedules/:wg/device/:device/override',
    access: controlling,
    summary:
      'Sets a value by hand from now until an end; without the cloud it lasts 15 minutes. To 0 takes one person.',
    example: { body: { setpoint: PATH, value: '0%', until: '2026-12-01T14:00:00Z', reason: REASON } },
    schema: { params: onDevice, body: override, response: { 200: deviceSchedule } },
  },
  release: {
    method: 'POST',
    url: '/schedules/:wg/device/:device/release',
    access: controlling,
    summary: 'Ends what holds on a setpoint; inverters get back what they had before.',
    example: { body: { setpoint: PATH, reason: REASON } },
    schema: { params: onDevice, body: release, response: { 200: deviceSchedule } },
  },
  policy: {
    method: 'GET',
    url: '/schedules/:wg/policy',
    access: reading,
    summary: 'Whether a second person has to agree before a setpoint reaches a device.',
    schema: { params: inWorkgroup, response: { 200: controlPolicy } },
  },
  setPolicy: {
    method: 'PUT',
    url: '/schedules/:wg/policy',
    access: { ...canInPerson('manageAccess'), ...addon, unbound: true, fresh: true },
    summary: 'Says when a second person has to agree; for owners, and told to all of them.',
    example: { body: { twoPeople: 'always' } },
    schema: { params: inWorkgroup, body: controlPolicyChange, response: { 200: controlPolicy } },
  },
} as const satisfies Api;
