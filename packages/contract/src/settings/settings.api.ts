import { signedIn } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { ofSetting, settingValue, userSettings } from './settings.schema.ts';

export const settingsApi = {
  list: {
    method: 'GET',
    url: '/settings',
    access: signedIn,
    summary: 'The settings of the signed-in user by key; what is not set is absent.',
    schema: { response: { 200: userSettings } },
  },
  get: {
    method: 'GET',
    url: '/settings/:key',
    access: signedIn,
    summary: 'One setting of the signed-in user; null when it is not set.',
    schema: { params: ofSetting, response: { 200: settingValue } },
  },
  set: {
    method: 'PUT',
    url: '/settings/:key',
    access: signedIn,
    summary: 'Changes one setting of the signed-in user; null takes it away.',
    example: { body: { value: null } },
    schema: { params: ofSetting, body: settingValue, response: { 200: settingValue } },
  },
} as const satisfies Api;
