import type { ErrorCatalog } from '../http/catalogs.ts';

export const deviceIdentityErrors = {
  'device.certificate_not_taken': {
    status: 409,
    text: 'The device did not come back with its new certificate, so the one before stays.',
  },
  'device.still_connected': {
    status: 409,
    text: '{name} is connected. Only a device that is gone can be taken over.',
  },
  'device.itself': { status: 400, text: 'A device cannot take over itself.' },
  'device.elsewhere': {
    status: 400,
    text: 'Both devices have to be in the workgroup {workgroup}. Move this one there first.',
  },
  'device.hosted': {
    status: 409,
    text: 'The server runs this cloud device and keeps its certificate; this is for devices in plants.',
  },
  'device.move_nowhere': {
    status: 404,
    text: 'There is no other workgroup {workgroup} in which you may manage devices.',
  },
} as const satisfies ErrorCatalog;
