import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const pluginsErrors = {
  'plugin.not_found': { status: 404, text: 'There is no plugin of this name and version.' },
  'plugin.not_restored': {
    status: 409,
    text: 'Not brought back: {plugins}. {reason}',
  },
  'plugin.not_available': {
    status: 403,
    text: 'This workgroup may not install {name}. The addon Machine plugins says which ones it may.',
  },
  // Source: specification 2, section 8.
  'plugin.stop_failed': { status: 409, text: 'Error while trying to stop the plugin: {why}' },
  'plugin.start_failed': { status: 409, text: 'Error while trying to start the plugin: {why}' },
  'plugin.install_failed': { status: 409, text: 'Plugin upgrade failed: {why}' },
  'plugin.ardpkg_failed': { status: 409, text: 'Ardpkg error: {why}' },
  'plugin.ardpkg_unknown': { status: 409, text: 'Ardpkg error: Unknown error' },
  'plugin.temporary_failed': { status: 409, text: 'Failed to create temporary directory: {why}' },
  'plugin.task_failed': { status: 400, text: 'The task was not saved: {why}' },
  'plugin.activities_unread': { status: 409, text: 'Failed to find plugin activities: {why}' },
  'plugin.activity_not_found': { status: 404, text: 'Failed to find activity: {why}' },
  'plugin.service_invalid': { status: 400, text: 'Failed to activate the service: {why}' },
  'plugin.service_restart_failed': { status: 400, text: 'Failed to restart the service: {why}' },
  'plugin.service_start_failed': { status: 409, text: "Failed to 'start' service: {why}" },
  'plugin.service_stop_failed': { status: 409, text: "Failed to 'stop' service: {why}" },
  'plugin.service_remove_failed': { status: 409, text: 'Failed to remove service: {why}' },
  'plugin.argument_missing': { status: 400, text: 'A service needs this argument: {option}' },
  'plugin.task_argument_missing': { status: 400, text: 'A task needs this argument: {option}' },
  'plugin.task_argument_unknown': { status: 400, text: 'A task of this plugin takes no argument {option}' },
  'plugin.source_map_invalid': { status: 400, text: 'Invalid source map entry' },
  'plugin.serial_failed': { status: 409, text: 'Failed to fetch serial devices: {why}' },
  'plugin.serial_tool_failed': {
    status: 409,
    text: 'Failed to install albedoctl while attempting to fetch serial devices: {why}',
  },
} as const satisfies ErrorCatalog;

export const pluginsIssues = {
  'issue.activity_type': 'Unknown activity type',
  'issue.activity_action': 'Unrecognised action: {x}',
} as const satisfies IssueCatalog;
