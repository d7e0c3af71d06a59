import type { ErrorCatalog } from '../http/catalogs.ts';

export const pluginsErrors = {
  'plugin.not_found': { status: 404, text: 'There is no plugin of this name and version.' },
  'plugin.not_available': {
    status: 403,
    text: 'This workgroup may not install {name}. The addon Machine plugins says which ones it may.',
  },
  // Source: specification 2, section 8.
  'plugin.stop_failed': { status: 409, text: 'Error while trying to stop the plugin: {why}' },
  'plugin.start_failed': { status: 409, text: 'Error while trying to start the plugin: {why}' },
  'plugin.install_failed': { status: 409, text: 'Plugin upgrade failed: {why}' },
  'plugin.task_failed': { status: 400, text: 'The task was not saved: {why}' },
  'plugin.activity_not_found': { status: 404, text: 'Failed to find activity: {why}' },
  'plugin.service_invalid': { status: 400, text: 'Failed to activate the service: {why}' },
} as const satisfies ErrorCatalog;
