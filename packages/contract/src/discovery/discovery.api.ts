import { z } from 'zod';
import { can } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { deviceAsks } from '../link/link.asks.ts';
import { foundModbus, foundPort, neighbour, openService } from '../link/link.network.ts';
import { longAction } from '../long-actions/long-actions.schema.ts';

/** The newest scan of a kind; null before the first one. `at` is epoch ms. */
const scanOf = <I extends z.ZodType, R extends z.ZodType>(input: I, found: R) =>
  z.object({ at: z.number(), by: z.string(), input, found: z.array(found) }).nullable();

/** What one look found, by the tool that looked. */
const found = z.union([
  z.object({ discoveryTool: z.literal('modbus'), found: z.array(foundModbus) }),
  z.object({ discoveryTool: z.literal('nmap'), found: z.array(foundPort) }),
  z.object({ discoveryTool: z.literal('arp'), found: z.array(neighbour) }),
]);
const modbusLook = deviceAsks['scan.modbus'].input.extend({ discoveryTool: z.literal('modbus') });
const EXAMPLE = { discoveryTool: 'modbus', targets: '192.168.1.10-40', port: 502, units: '1-10' };

const begun = { 200: longAction };
const discovery = can('discovery');

export const discoveryApi = {
  interfaces: {
    method: 'GET',
    url: '/devices/:wg/:device/interfaces',
    access: can('controlDevices', 'discovery'),
    summary: 'The network of a device as its kernel knows it: interfaces, gateway, name servers, neighbours.',
    schema: { params: onDevice, response: { 200: deviceAsks['network.read'].result } },
  },
  openServices: {
    method: 'POST',
    url: '/devices/:wg/:device/openServices',
    access: discovery,
    summary: 'Ports of the device itself that something listens on.',
    schema: { params: onDevice, response: { 200: z.array(openService) } },
  },
  ports: {
    method: 'GET',
    url: '/devices/:wg/:device/nmapscan',
    access: discovery,
    summary: 'What the newest scan of ports found in the network of the device.',
    schema: { params: onDevice, response: { 200: scanOf(deviceAsks['scan.ports'].input, foundPort) } },
  },
  scanPorts: {
    method: 'PUT',
    url: '/devices/:wg/:device/nmapscan',
    access: discovery,
    summary: 'Has the device look for open ports in its network, as a long action.',
    example: { body: { targets: '192.168.1.0/24', ports: '22,80,502' } },
    schema: { params: onDevice, body: deviceAsks['scan.ports'].input, response: begun },
  },
  neighbours: {
    method: 'GET',
    url: '/devices/:wg/:device/arpscan',
    access: discovery,
    summary: 'Who answered in the network of the device when it last asked (ARP).',
    schema: { params: onDevice, response: { 200: scanOf(deviceAsks['scan.arp'].input, neighbour) } },
  },
  scanNeighbours: {
    method: 'PUT',
    url: '/devices/:wg/:device/arpscan',
    access: discovery,
    summary: 'Has the device ask who is in its network (ARP), as a long action.',
    example: { body: { targets: '192.168.1.0/24' } },
    schema: { params: onDevice, body: deviceAsks['scan.arp'].input, response: begun },
  },
  look: {
    method: 'POST',
    url: '/devices/:wg/:device/discovery',
    access: discovery,
    summary:
      'Has the device look around in its network and answers what it found; 400 says why it could not.',
    example: { body: EXAMPLE },
    schema: {
      params: onDevice,
      body: z.discriminatedUnion('discoveryTool', [
        modbusLook,
        deviceAsks['scan.ports'].input.extend({ discoveryTool: z.literal('nmap') }),
        deviceAsks['scan.arp'].input.extend({ discoveryTool: z.literal('arp') }),
      ]),
      response: { 200: found },
    },
  },
  lookForModbus: {
    method: 'POST',
    url: '/devices/:wg/:device/modbus',
    access: discovery,
    summary: 'Has the device look for Modbus and SunSpec devices and answers what it found.',
    example: { body: EXAMPLE },
    schema: { params: onDevice, body: modbusLook, response: { 200: found } },
  },
  modbus: {
    method: 'GET',
    url: '/devices/:wg/:device/modbus',
    access: discovery,
    summary: 'The Modbus devices that the newest scan found.',
    schema: { params: onDevice, response: { 200: scanOf(deviceAsks['scan.modbus'].input, foundModbus) } },
  },
  scanModbus: {
    method: 'PUT',
    url: '/devices/:wg/:device/modbus',
    access: discovery,
    summary: 'Has the device look for Modbus and SunSpec devices in its network, as a long action.',
    example: { body: { targets: '192.168.1.10-40', port: 502, units: '1-10' } },
    schema: { params: onDevice, body: deviceAsks['scan.modbus'].input, response: begun },
  },
} as const satisfies Api;
