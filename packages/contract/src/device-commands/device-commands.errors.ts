import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const deviceCommandsErrors = {
  'device_command.not_found': {
    status: 404,
    text: 'This command does not exist, or you do not have access to it.',
  },
  'device_command.name_taken': { status: 409, text: 'There is already a command called {name}.' },
  'device_command.value_missing': { status: 400, text: 'Give a value for {name}.' },
  'device_command.value_wrong': { status: 400, text: '{name} cannot be {value}.' },
} as const satisfies ErrorCatalog;

export const deviceCommandsIssues = {
  'issue.command_parameter_name': 'A parameter is one word of letters, digits and underscores.',
  'issue.command_parameter_twice': 'There are two parameters called {name}.',
  'issue.command_parameter_unused':
    'The command line does not use the parameter {name}. Put its name in braces where the value belongs.',
} as const satisfies IssueCatalog;
