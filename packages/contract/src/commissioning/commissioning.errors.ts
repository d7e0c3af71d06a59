import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const commissioningErrors = {
  'commissioning.not_found': { status: 404, text: 'This setup does not exist, or somebody else began it.' },
  'commissioning.too_many': {
    status: 409,
    text: 'You can have up to {count} setups under way. Finish or discard one first.',
  },
  'commissioning.no_machines': { status: 409, text: 'Choose at least one machine first.' },
  'commissioning.no_values': {
    status: 409,
    text: 'No values have arrived from these machines yet. Wait a moment and try again.',
  },
} as const satisfies ErrorCatalog;

export const commissioningIssues = {
  'issue.machine_name': 'Use letters, digits, spaces, - and _; begin with a letter or a digit.',
  'issue.machine_names': 'Each machine needs a name of its own.',
  'issue.machine_twice': 'The same machine is in the list twice.',
  'issue.machine_host': 'This is no address and no host name.',
} as const satisfies IssueCatalog;
