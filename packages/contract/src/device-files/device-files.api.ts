import { z } from 'zod';
import { can, canInPerson } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { devicePath, folderListing } from './device-files.schema.ts';

const MB = 1024 * 1024;
/** Bytes of a file that is sent at once, and of a slice of a larger one. */
export const FILE_BYTES = 64 * MB;
export const SLICE_BYTES = 8 * MB;
const form = (bytes: number) =>
  ({ consumes: 'multipart/form-data', files: { count: 1, fileBytes: bytes, totalBytes: bytes } }) as const;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.coerce.number().int().min(0);
const part = z.object({ isComplete: z.boolean(), bytes: z.number() });

export const deviceFilesApi = {
  list: {
    method: 'GET',
    url: '/devices/:wg/:device/folders',
    access: { ...canInPerson('controlDevices'), fresh: true },
    summary: 'What is in a folder of a device, for people who look around.',
    example: { query: { path: '/var/log' } },
    schema: {
      params: onDevice,
      querystring: z.object({ path: devicePath }),
      response: { 200: folderListing },
    },
  },
  get: {
    method: 'GET',
    url: '/devices/:wg/:device/files',
    access: can('controlDevices'),
    summary: 'A file of a device, from a byte on; what was cut off goes on from there.',
    example: { query: { path: '/etc/hostname' } },
    schema: { params: onDevice, querystring: z.object({ path: devicePath, from: size.default(0) }) },
    produces: 'application/octet-stream',
  },
  send: {
    method: 'PUT',
    url: '/devices/:wg/:device/files',
    access: can('controlDevices'),
    summary: 'Puts a file of at most 64 MB into a folder of a device, under its own name.',
    example: { body: { folder: '/tmp' } },
    schema: { params: onDevice, body: z.object({ folder: devicePath }), response: { 200: part } },
    ...form(FILE_BYTES),
  },
  part: {
    method: 'GET',
    url: '/devices/:wg/:device/large-files',
    access: can('controlDevices'),
    summary: 'How much of a large file, known by its SHA-256, is on the device already.',
    example: { query: { path: '/tmp/image.bin', hash: '0'.repeat(64) } },
    schema: {
      params: onDevice,
      querystring: z.object({ path: devicePath, hash }),
      response: { 200: z.object({ bytes: z.number() }) },
    },
  },
  sendPart: {
    method: 'PUT',
    url: '/devices/:wg/:device/large-files',
    access: can('controlDevices'),
    summary:
      'Sends a slice of a large file, of at most 8 MB; with the last one the file is there, if its SHA-256 is right.',
    example: { body: { path: '/tmp/image.bin', hash: '0'.repeat(64), size: 1, from: 0 } },
    schema: {
      params: onDevice,
      body: z.object({ path: devicePath, hash, size, from: size }),
      response: { 200: part },
    },
    ...form(SLICE_BYTES),
  },
} as const satisfies Api;
