import { z } from 'zod';
import { can, member, signedIn } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  argumentFiles,
  askedFrequency,
  devicePlugin,
  oldActivity,
  pluginDetail,
  pluginListing,
  pluginName,
  pluginState,
  pluginVersion,
  serialLine,
  serviceFile,
  serviceName,
  taskArguments,
  taskName,
} from './plugins.schema.ts';

const control = can('controlDevices');
const onPlugin = onDevice.extend({ plugin: pluginName });
const onService = onPlugin.extend({ name: serviceName });
const onTask = onPlugin.extend({ name: taskName });
const inFolder = z.object({ frequency: askedFrequency });
const state = { 200: pluginState };
const logs = { 200: z.array(z.object({ source: z.string(), text: z.string() })) };
/** One save takes the old activity away and writes the new one: a device that is cut off has the one or the other. */
const replaces = oldActivity.optional();

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
  serialLines: {
    method: 'GET',
    url: '/devices/:wg/:device/serial',
    access: control,
    summary:
      'The serial lines of the device, as albedoctl lists them there; a device without that tool is sent it first.',
    schema: { params: onDevice, response: { 200: z.array(serialLine) } },
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
        replaces,
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
      response: logs,
    },
  },
  putTask: {
    method: 'PUT',
    url: '/devices/:wg/:device/plugins/:plugin/task/:name',
    access: control,
    summary:
      'Writes a task: a file of a run folder with one command of the plugin. The device is backed up before.',
    example: {
      body: { frequency: '5m', arguments: { mandatory: ['10.0.0.5'], optional: {}, flags: [], secrets: {} } },
    },
    schema: {
      params: onService,
      body: z.object({
        frequency: askedFrequency,
        arguments: taskArguments,
        isDisabled: z.boolean().default(false),
        files: argumentFiles.default({}),
        replaces,
      }),
      response: state,
    },
  },
  switchTask: {
    method: 'PUT',
    url: '/devices/:wg/:device/plugins/:plugin/task/:name/disabled',
    access: control,
    summary: 'Puts a task aside, or takes it up again, as it stands. The device is backed up before.',
    example: { body: { frequency: '5m', isDisabled: true } },
    schema: { params: onTask, body: inFolder.extend({ isDisabled: z.boolean() }), response: state },
  },
  removeTask: {
    method: 'DELETE',
    url: '/devices/:wg/:device/plugins/:plugin/task/:name',
    access: control,
    summary: 'Deletes a task and the files that belong to it.',
    example: { query: { frequency: '5m' } },
    schema: { params: onTask, querystring: inFolder, response: state },
  },
  taskLogs: {
    method: 'GET',
    url: '/devices/:wg/:device/plugins/:plugin/task/:name/logs',
    access: control,
    summary: 'The last 100 lines of each log of a task: what it said, and what it wrote.',
    example: { query: { frequency: '5m' } },
    schema: { params: onTask, querystring: inFolder, response: logs },
  },
} as const satisfies Api;
