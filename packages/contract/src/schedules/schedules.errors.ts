import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const schedulesErrors = {
  'schedule.not_found': { status: 404, text: 'This schedule no longer exists.' },
  'schedule.setpoint_unknown': {
    status: 404,
    text: 'The device has no setpoint {path}. Discover its setpoints first.',
  },
  'schedule.setpoint_fixed': {
    status: 409,
    text: '{path} stands in the configuration of the plugin and takes no schedules.',
  },
  'schedule.changed': {
    status: 409,
    text: 'Somebody changed this schedule since you opened it. Load it again, or save yours as a new one.',
  },
  'schedule.pending': {
    status: 409,
    text: 'This is being applied. Withdraw it first, or wait until it is done.',
  },
  'schedule.holds': { status: 409, text: 'This schedule holds on the device. Release it first.' },
  'schedule.not_pending': { status: 409, text: 'Nothing waits here for your decision any more.' },
  'schedule.own': {
    status: 403,
    text: 'Somebody else has to approve this: you wrote it, changed it or asked for it.',
  },
  'schedule.alone': {
    status: 403,
    text: 'You are the only one who may control devices. Give a reason, and type {phrase} to go on; all owners are told.',
  },
  'schedule.no_trial': { status: 409, text: 'This is not on trial any more.' },
  'schedule.past': { status: 409, text: 'Its end has passed. Nothing would hold.' },
  'schedule.unsafe': { status: 409, text: 'This cannot be applied: {why}' },
  'schedule.too_many': { status: 409, text: 'There are {max} schedules already. Remove some first.' },
  'schedule.no_plugin': {
    status: 404,
    text: 'The device has no control plugin with a control.yaml. Install PV control and configure it first.',
  },
  'schedule.owners_only': { status: 403, text: 'Only an owner can change who has to approve.' },
} as const satisfies ErrorCatalog;

export const schedulesIssues = {
  'issue.setpoint_path': '{path} is not the path of a setpoint, such as operator/setpoint_activepower.',
  'issue.setpoint_unit': '{value} is not a value such as {examples}.',
  'issue.setpoint_range': '{value} is outside {range}.',
  'issue.setpoint_word': '{value} does not say over-excited or under-excited.',
  'issue.entry_twice': '{datetime} is there twice.',
  'issue.entry_order': '{datetime} is before {before}, which stands above it.',
  'issue.entry_path': '{path} is another setpoint than {setpoint}.',
  'issue.until_first': 'The end must be after the last entry, {last}.',
  'issue.bound_least': '{value} is below {bound}, the least that is allowed here.',
  'issue.bound_most': '{value} is above {bound}, the most that is allowed here.',
  'issue.bound_step': 'From {before} to {value} is more than {bound} in one step.',
  'issue.bound_ramp': 'From {before} to {value} is faster than {bound} a minute.',
  'issue.bound_dwell': '{datetime} comes {minutes} min after the entry above it; {bound} min is the least.',
  'issue.bound_unknown':
    '{value} cannot be held against the bounds: it is not known what the inverters are rated for. Give it in %.',
  'issue.bound_writes':
    '{count} changes on {day} are more than the {bound} that the register of {inverter} may take a day.',
  'issue.when_lost':
    '{inverter} cannot do what is asked for when it is left alone ({wanted}): it can only {able}.',
  'issue.inverter_readonly': '{inverter} does not take writes: {why}',
  'issue.inverter_away': '{inverter} did not answer: {why}',
} as const satisfies IssueCatalog;
