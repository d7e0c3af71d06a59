import type { ErrorCatalog } from '../http/catalogs.ts';

export const deviceGroupsErrors = {
  'device_group.not_found': { status: 404, text: 'This device group does not exist.' },
  'device_group.name_taken': {
    status: 409,
    text: 'Another device group in this workgroup already has the name {name}.',
  },
  'device_group.in_use': {
    status: 409,
    text: 'This device group is still in use (members: {members}, invites: {invites}, API tokens: {tokens}). Remove them from it first.',
  },
  'device_group.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} device groups. Delete one first.',
  },
  'device_group.foreign_device': { status: 400, text: 'This workgroup has no device {id}.' },
  'device_group.bound': {
    status: 403,
    text: 'You belong to a device group, so you cannot change what affects the whole workgroup.',
  },
  'device_group.decides': {
    status: 403,
    text: 'A device group depends on the value of {field}, so members of device groups cannot change it.',
  },
  'device_group.not_a_list': {
    status: 409,
    text: 'The device group {name} does not name its devices, so none is put into it or taken out.',
  },
  'device_group.owner': { status: 409, text: 'An owner sees all devices and cannot be in a device group.' },
} as const satisfies ErrorCatalog;
