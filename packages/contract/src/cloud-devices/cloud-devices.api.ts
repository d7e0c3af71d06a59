import { z } from 'zod';
import { type Access, can, member } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  cedCloud,
  cloudDevice,
  cloudDeviceWish,
  natAccess,
  natGateway,
  networkFile,
  networkSettings,
  networkVariable,
  newNatGateway,
  onNetworkFile,
  onNetworkVariable,
} from './cloud-devices.schema.ts';

const controlling = can('controlDevices') satisfies Access;
/** It is about the workgroup as a whole, and about what the server connects to. */
const gateway = { ...can('manageDevices'), unbound: true, addon: 'ced' } as const satisfies Access;

export const cloudDevicesApi = {
  clouds: {
    method: 'GET',
    url: '/orgs/:wg/ced-clouds',
    access: { ...member, addon: 'ced' },
    summary: 'Where the server can run cloud devices.',
    schema: { params: inWorkgroup, response: { 200: z.array(cedCloud) } },
  },
  natGateway: {
    method: 'GET',
    url: '/orgs/:wg/nat-gateway',
    access: { ...member, addon: 'ced' },
    summary: 'The NAT gateway of the workgroup, by which its cloud devices reach machines in the internet.',
    schema: { params: inWorkgroup, response: { 200: natGateway } },
  },
  createNatGateway: {
    method: 'POST',
    url: '/orgs/:wg/nat-gateway',
    access: gateway,
    summary: 'Makes a NAT gateway for the cloud devices of a cloud, and starts them anew with it.',
    example: { body: { cedCloudId: 'server', allow: ['203.0.113.7'] } },
    schema: { params: inWorkgroup, body: newNatGateway, response: { 200: natGateway } },
  },
  grantNatAccess: {
    method: 'PUT',
    url: '/orgs/:wg/nat-gateway',
    access: gateway,
    summary: 'Says which addresses the NAT gateway leads to.',
    example: { body: { allow: ['203.0.113.0/28'] } },
    schema: { params: inWorkgroup, body: natAccess, response: { 200: natGateway } },
  },
  removeNatGateway: {
    method: 'DELETE',
    url: '/orgs/:wg/nat-gateway',
    access: gateway,
    summary: 'Ends the NAT gateway; cloud devices reach nothing through it from then on.',
    schema: { params: inWorkgroup, response: { 200: z.object({}) } },
  },
  get: {
    method: 'GET',
    url: '/devices/:wg/:device/cloud',
    access: member,
    summary: 'How the process of a cloud device is.',
    schema: { params: onDevice, response: { 200: cloudDevice } },
  },
  wish: {
    method: 'POST',
    url: '/devices/:wg/:device/cloud',
    access: controlling,
    summary: 'Starts a cloud device, stops it, or starts it anew.',
    example: { body: { action: 'restart' } },
    schema: { params: onDevice, body: cloudDeviceWish, response: { 200: cloudDevice } },
  },
  network: {
    method: 'GET',
    url: '/devices/:wg/:device/cloud/network',
    access: controlling,
    summary: 'Names of the files and variables by which a cloud device joins its plant.',
    schema: { params: onDevice, response: { 200: networkSettings } },
  },
  setFile: {
    method: 'PUT',
    url: '/devices/:wg/:device/cloud/network/files/:file',
    access: controlling,
    summary: 'Writes a file of the network settings; nobody can read it again.',
    example: { body: { content: 'Y2xpZW50Cg==' } },
    schema: { params: onNetworkFile, body: networkFile, response: { 200: networkSettings } },
  },
  removeFile: {
    method: 'DELETE',
    url: '/devices/:wg/:device/cloud/network/files/:file',
    access: controlling,
    summary: 'Deletes a file of the network settings.',
    schema: { params: onNetworkFile, response: { 200: networkSettings } },
  },
  setVariable: {
    method: 'PUT',
    url: '/devices/:wg/:device/cloud/network/environment/:variable',
    access: controlling,
    summary: 'Writes a variable of the network settings; nobody can read it again.',
    example: { body: { value: 'a secret' } },
    schema: { params: onNetworkVariable, body: networkVariable, response: { 200: networkSettings } },
  },
  removeVariable: {
    method: 'DELETE',
    url: '/devices/:wg/:device/cloud/network/environment/:variable',
    access: controlling,
    summary: 'Deletes a variable of the network settings.',
    schema: { params: onNetworkVariable, response: { 200: networkSettings } },
  },
} as const satisfies Api;
