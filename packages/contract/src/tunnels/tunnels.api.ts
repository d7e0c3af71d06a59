import { z } from 'zod';
import { anyone, can, canInPerson } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { newTunnel, onTunnel, openedTunnel, tunnel } from './tunnels.schema.ts';

export const tunnelsApi = {
  open: {
    method: 'POST',
    url: '/devices/:wg/:device/tunnels',
    access: { ...canInPerson('tunnel'), fresh: true },
    summary:
      'Opens a tunnel to a port in the network of a device, for an hour and once for each confirmation. Its token is told this once.',
    example: { body: { kind: 'tcp', host: '192.168.1.20', port: 502 } },
    schema: { params: onDevice, body: newTunnel, response: { 200: openedTunnel } },
  },
  list: {
    method: 'GET',
    url: '/devices/:wg/:device/tunnels',
    access: can('tunnel', 'audit'),
    summary: 'The newest 50 tunnels of a device, newest first.',
    schema: { params: onDevice, response: { 200: z.array(tunnel) } },
  },
  close: {
    method: 'DELETE',
    url: '/devices/:wg/:device/tunnels/:tunnel',
    access: canInPerson('tunnel'),
    summary: 'Closes a tunnel, with everything that runs through it.',
    schema: { params: onTunnel, response: { 200: tunnel } },
  },
  client: {
    method: 'GET',
    url: '/tunnel-client',
    access: anyone,
    summary: 'The command-line client of tunnels, one file for Node.',
    schema: {},
    produces: 'text/javascript; charset=utf-8',
  },
} as const satisfies Api;
