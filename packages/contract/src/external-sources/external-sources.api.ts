import { z } from 'zod';
import { anyone, can } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { mappedFault } from '../mapping/mapping.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  externalPreview,
  externalRun,
  externalSource,
  newExternalSource,
  onExternalSource,
  savedExternalSource,
} from './external-sources.schema.ts';

const change = { ...can('coordinate'), unbound: true } as const;
const example = {
  body: {
    name: 'Weather',
    kind: 'pull',
    format: 'json',
    recordsPath: 'data',
    pull: { address: 'https://weather.example/api?since={from}', everyMinutes: 15 },
    mapping: {
      table: 'weather',
      source: 'station',
      timeColumn: 'time',
      fields: [{ column: 'temp', name: 'Ambient Temperature', units: '°C' }],
    },
  },
};

export const externalSourcesApi = {
  list: {
    method: 'GET',
    url: '/externalSources/:wg',
    access: can('coordinate'),
    summary:
      'The external sources of the devices that the caller can see, with their last run; never their secrets.',
    schema: { params: inWorkgroup, response: { 200: z.array(externalSource) } },
  },
  create: {
    method: 'POST',
    url: '/externalSources/:wg',
    access: change,
    summary: 'Makes an external source; one that is pushed to answers its token, once.',
    example,
    schema: { params: inWorkgroup, body: newExternalSource, response: { 200: savedExternalSource } },
  },
  preview: {
    method: 'POST',
    url: '/externalSources/:wg/preview',
    access: change,
    summary:
      'Reads a source once, or hears a broker for some seconds, and shows what would be stored; nothing is. `text` stands for what would be pushed.',
    example,
    schema: {
      params: inWorkgroup,
      body: z.object({
        ...newExternalSource.shape,
        /** Of a known source, whose secret is used where none is given. */
        of: z.uuid().optional(),
        text: z.string().max(500_000).optional(),
      }),
      response: { 200: externalPreview },
    },
  },
  update: {
    method: 'PUT',
    url: '/externalSources/:wg/:externalSource',
    access: change,
    summary: 'Puts an external source in the place of what it was.',
    example,
    schema: { params: onExternalSource, body: newExternalSource, response: { 200: savedExternalSource } },
  },
  remove: {
    method: 'DELETE',
    url: '/externalSources/:wg/:externalSource',
    access: change,
    summary: 'Deletes an external source; its device and what it brought stay.',
    schema: { params: onExternalSource, response: { 200: z.object({}) } },
  },
  run: {
    method: 'POST',
    url: '/externalSources/:wg/:externalSource/run',
    access: change,
    summary: 'Reads a source now.',
    example: { body: {} },
    schema: { params: onExternalSource, body: z.object({}), response: { 200: externalSource } },
  },
  runs: {
    method: 'GET',
    url: '/externalSources/:wg/:externalSource/runs',
    access: can('coordinate'),
    summary:
      'The last 100 runs of a source, the newest first: when, how long, what came and what was left out.',
    schema: { params: onExternalSource, response: { 200: z.array(externalRun) } },
  },
  renewToken: {
    method: 'POST',
    url: '/externalSources/:wg/:externalSource/token',
    access: change,
    summary: 'Gives a source that is pushed to another token; the old one ends at once.',
    example: { body: {} },
    schema: { params: onExternalSource, body: z.object({}), response: { 200: savedExternalSource } },
  },
  push: {
    method: 'POST',
    url: '/push/:externalSource',
    access: anyone,
    crossSite: true,
    ratePerMinute: 600,
    summary:
      'Takes records of an external source, as JSON, XML or CSV; its token is the bearer token. `faults` says what was left out.',
    example: { body: [{ time: '2026-05-01T12:00:00Z', temp: 21.5 }] },
    schema: {
      params: z.object({ externalSource: z.uuid() }),
      body: z.unknown(),
      response: {
        200: z.object({
          records: z.number(),
          events: z.number(),
          stored: z.number(),
          faults: z.array(mappedFault),
        }),
      },
    },
  },
} as const satisfies Api;
