import { z } from 'zod';
import { can, member, signedIn } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  argumentFiles,
  devicePlugin,
  pluginDetail,
  pluginListing,
  pluginName,
  pluginState,
  pluginVersion,
  serviceFile,
  serviceName,
} from './plugins.schema.ts';

const control = can('controlDevices');
const onPlugin = onDevice.extend({ plugin: pluginName });
const onService = onPlugin.extend({ name: serviceName });
const state = { 200: pluginState };

export const pluginsApi = {
  list: {
    method: 'GET',
    url: '/plugins',
    access: signedIn,
    summary: 'The plugins of the repository by name, each with its versions and labels.',
    schema: { response: { 200: z.array(pluginListing) } },
  },
  ardpkg: {
    method: 'GET',
    url: '/plugins/ardpkg',
    access: signedIn,
    summary: 'The package tool that agents bring: it installs nothing that the publisher has not signed.',
    schema: { response: { 200: z.object({ name: z.literal('ardpkg'), version: z.string() }) } },
  },
  get: {
    method: 'GET',
    url: '/plugins/:wg/:name',
    access: member,
    summary:
      'A plugin with the spec of a version (the newest one by default), and whether the workgroup may install it.',
    schema: {
      params: inWorkgroup.extend({ name: pluginName }),
      querystring: z.object({ version: pluginVersion.optional() }),
      response: { 200: pluginDetail },
    },
  },
  installed: {
    method: 'GET',
    url: '/devices/:wg/plugins',
    access: member,
    summary: 'The plugins of all devices, as each last told.',
    schema: { params: inWorkgroup, response: { 200: z.array(devicePlugin) } },
  },
  update: {
    method: 'POST',
    url: '/devices/:wg/:device/update',
    access: member,
    summary: 'Asks the device which operating system and which plugins it has.',
    schema: {
      params: onDevice,
      response: {
        200: pluginState.extend({ os: z.string().nullable() }),
      },
    },
  },
  install: {
    method: 'PUT',
    url: '/devices/:wg/:device/plugins/:plugin',
    access: control,
    summary:
      'Installs a plugin, or another version of it: services stop, the package is replaced, services start. What the addon machine-plugins does not allow is refused.',
    example: { body: {} },
    schema: {
      params: onPlugin,
      body: z.object({ version: pluginVersion.optional() }),
      response: state,
    },
  },
  remove: {
    method: 'DELETE',
    url: '/devices/:wg/:device/plugins/:plugin',
    access: control,
    summary: 'Removes a plugin with its tasks and services.',
    schema: { params: onPlugin, response: state },
  },
  startServices: {
    method: 'PUT',
    url: '/devices/:wg/:device/plugins/:plugin/service',
    access: control,
    summary: 'Starts the services of a plugin again.',
    example: { body: {} },
    schema: { params: onPlugin, body: z.object({}), response: state },
  },
  stopServices: {
    method: 'DELETE',
    url: '/devices/:wg/:device/plugins/:plugin/service',
    access: control,
    summary: 'Stops the services of a plugin until they are started again; their files stay.',
    schema: { params: onPlugin, response: state },
  },
  putService: {
    method: 'PUT',
    url: '/devices/:wg/:device/plugins/:plugin/service/:name',
    access: control,
    summary: 'Writes a service file and activates the service, or puts it aside when it is disabled.',
    example: { body: { serviceFile: '_name,_plugin\nroof,sunspec\n' } },
    schema: {
      params: onService,
      body: z.object({
        serviceFile,
        isDisabled: z.boolean().default(false),
        files: argumentFiles.default({}),
      }),
      response: state,
    },
  },
  removeService: {
    method: 'DELETE',
    url: '/devices/:wg/:device/plugins/:plugin/service/:name',
    access: control,
    summary: 'Deactivates a service and deletes its file.',
    schema: { params: onService, response: state },
  },
  logs: {
    method: 'GET',
    url: '/devices/:wg/:device/plugins/:plugin/service/:name/logs',
    access: control,
    summary: 'The last 100 lines of each log of a service: what it says, and what it wrote.',
    schema: {
      params: onService,
      response: { 200: z.array(z.object({ source: z.string(), text: z.string() })) },
    },
  },
} as const satisfies Api;
