import { z } from 'zod';
import { can, member } from '../access/access.ts';
import { onDevice, toldDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { METADATA_FILE } from './metadata.names.ts';
import {
  fieldRename,
  infoLevel,
  metadataFile,
  metadataInUse,
  metadataPlan,
  metadataRow,
  sourceInfo,
  sourceName,
} from './metadata.schema.ts';

/** A file that says nothing. */
const example = { body: { level: 'device', columns: ['id'], rows: [] } };

export const metadataApi = {
  inUse: {
    method: 'GET',
    url: '/devices/:wg/device/metadata',
    access: member,
    summary: 'The fields that the metadata of devices and of their sources have, with how many have each.',
    schema: { params: inWorkgroup, response: { 200: metadataInUse } },
  },
  setSource: {
    method: 'PUT',
    url: '/devices/:wg/:device/metadata',
    access: can('manageDevices'),
    summary: 'Says what the metadata of one source is; without fields it has none.',
    example: { body: { source: 'inverter/1', info: { kWp: '61.6 kWp' } } },
    schema: {
      params: onDevice,
      body: z.object({
        source: sourceName,
        info: sourceInfo,
        /** What the form opened with: then only what differs is changed, and changes by others are kept. */
        over: sourceInfo.optional(),
      }),
      response: { 200: toldDevice },
    },
  },
  rows: {
    method: 'GET',
    url: '/metadata/:wg',
    access: member,
    summary: 'What is said of every device, or of every source of which something is said, by name.',
    example: { query: { level: 'device' } },
    schema: {
      params: inWorkgroup,
      querystring: z.object({ level: infoLevel }),
      response: { 200: z.array(metadataRow) },
    },
  },
  preview: {
    method: 'POST',
    url: '/metadata/:wg/preview',
    access: { ...can('manageDevices'), unbound: true },
    summary:
      'What the rows of a file would change, what is wrong with them, and which device groups gain or lose devices.',
    example,
    bodyBytes: METADATA_FILE.bytes,
    schema: { params: inWorkgroup, body: metadataFile, response: { 200: metadataPlan } },
  },
  import: {
    method: 'POST',
    url: '/metadata/:wg/import',
    access: { ...can('manageDevices'), unbound: true },
    summary: 'Takes the rows of a file over, all or none; an empty cell leaves a value as it is.',
    example,
    bodyBytes: METADATA_FILE.bytes,
    schema: { params: inWorkgroup, body: metadataFile, response: { 200: metadataPlan } },
  },
  renameField: {
    method: 'PUT',
    url: '/metadata/:wg/field',
    access: { ...can('coordinate'), unbound: true },
    summary: 'Calls a field otherwise; the values of all devices or sources follow.',
    example: { body: { level: 'device', name: 'Site', to: 'Location' } },
    schema: {
      params: inWorkgroup,
      body: fieldRename,
      response: { 200: z.object({ changed: z.number().int() }) },
    },
  },
} as const satisfies Api;
