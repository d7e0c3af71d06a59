import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const workgroupsErrors = {
  'workgroup.setting_unknown': {
    status: 404,
    text: 'There is no workgroup setting named {key}. The settings are: {known}.',
  },
  'workgroup.setting_invalid': { status: 400, text: 'The setting {key} cannot have this value. {why}' },
  'workgroup.setting_guarded': { status: 409, text: 'The setting {key} is changed with {call}.' },
  'addon.enabled_already': { status: 409, text: 'The workgroup already has the addon {name}.' },
  'addon.not_enabled': { status: 404, text: 'The workgroup does not have the addon {name}.' },
  'workgroup.suspended': {
    status: 403,
    text: 'This workgroup is suspended. Ask the provider to open it again.',
  },
  'workgroup.not_found': { status: 404, text: 'There is no workgroup {name}.' },
  'workgroup.name_taken': { status: 409, text: 'Another workgroup already has the name {name}.' },
  'workgroup.name_gone': {
    status: 409,
    text: 'A workgroup named {name} was deleted, and its name cannot be reused. Choose another one.',
  },
} as const satisfies ErrorCatalog;

export const workgroupsIssues = {
  'issue.time_zone_name': 'This is not a time zone. Use a name such as Europe/Berlin.',
  'issue.workgroup_name': 'A workgroup name can contain only lowercase letters, digits, - and _.',
  'issue.colour': 'Enter a colour such as #b0c748',
  'issue.page': 'Enter a page such as /devices',
  'issue.nothing_to_change': 'Specify what to change: displayName or theme.',
} as const satisfies IssueCatalog;
