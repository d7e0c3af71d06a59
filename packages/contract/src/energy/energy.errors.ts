import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const energyErrors = {
  'energy.config_changed': {
    status: 409,
    text: 'Somebody saved this configuration since you opened it: you have version {yours}, the newest is {now}.',
  },
  'energy.import_not_found': { status: 404, text: 'This import no longer exists.' },
  'energy.import_undone': { status: 409, text: 'This import was taken back already.' },
  'energy.import_overwritten': {
    status: 409,
    text: 'Newer values stand in the place of {count} values of this import. Undo what stored them first.',
  },
  'energy.import_faulty': {
    status: 422,
    text: 'Nothing was stored: {count} lines of the file are wrong. The first is line {line}: {why}',
  },
  'energy.import_unclear': { status: 422, text: 'The file can be read in two ways. Say this first: {asks}.' },
  'energy.import_unreadable': { status: 422, text: 'The file could not be read: {why}' },
  'energy.day_unknown': { status: 404, text: 'Nothing is known of this source on this day.' },
} as const satisfies ErrorCatalog;

/** What may be wrong with configurations, readings and budgets; faults of lines of a file are called the same. */
export const energyIssues = {
  'issue.energy_zone': 'Use UTC, device, or a time zone such as Europe/Berlin.',
  'issue.energy_device': 'There is no device with this ID.',
  'issue.energy_code': 'There is no meter code called {code}. Add it to the meter codes first.',
  'issue.energy_subject': 'There is no device and no meter site called {subject}.',
  'issue.energy_key': 'A key is written as code, | and the start, such as PLANT-7|2026-10-01T00:00:00Z.',
  'issue.energy_budget_key': 'A key is written as device or site, | and the month, such as Hilltop|2026-10.',
  'issue.energy_keys': 'At most {max} keys at once.',
  'issue.energy_twice': '{key} stands here twice.',
  'issue.energy_granularity': 'Choose one of these: {choices}.',
  'issue.energy_number': '{value} is not an energy in kWh: give a number of 0 or more.',
  'issue.energy_time': '{value} is not a time. Write 2026-10-01T00:00:00Z.',
  'issue.energy_no_hour': '{value} does not exist: clocks were changed in that hour.',
  'issue.energy_two_hours':
    '{value} exists twice: clocks were changed in that hour. Write it with its offset.',
  'issue.energy_month': '{value} is not a month. Write 2026-10.',
  'issue.energy_orientation': 'Character {at} of the orientation: {what}.',
  'issue.energy_signal': 'This changes all the time: choose a field.',
  'issue.energy_signal_entity': 'This is measured for a whole device: map it there, or for all devices.',
  'issue.energy_signal_device': 'This is read from the device itself: name no other device.',
  'issue.energy_latitude': 'Degrees from {from} to {to}.',
  'issue.energy_reference': 'Say the reference temperature of the contract.',
  'issue.energy_days': 'Days from {from} to {to}.',
  'issue.energy_grid':
    '{value} is no start of such an interval: hours begin at :00, quarters of an hour at :00, :15, :30 and :45.',
  'issue.energy_span': 'A report covers up to {days} days.',
  'issue.energy_columns':
    'The file needs a column for the time and one for each meter, or code, datetime and kWh.',
  'issue.energy_cells': 'This line has {count} cells; the first line has {wanted}.',
  'issue.energy_decimal': '{value} can be read in two ways. Say which sign is the decimal one.',
  'issue.energy_scope': 'Use portfolio, site:…, device:… or source:…',
  'issue.energy_code_bar': 'A code has no |.',
  'issue.energy_review': 'Say the value in kWh that counts in place of what was computed.',
} as const satisfies IssueCatalog;
