import { type NewAlert, newAlert } from '@albedo/contract/alerts/alerts.schema';

const of = (alert: Parameters<typeof newAlert.parse>[0]): NewAlert => newAlert.parse(alert);

/** Alerts that every workgroup begins with, by a name that stays the same over releases. */
export const SHIPPED_ALERTS: Readonly<Record<string, NewAlert>> = {
  'device-offline': of({
    name: 'Device offline',
    kind: 'offline',
    severity: 'high',
    forMinutes: 10,
    cause: 'The device has no power or no network, or its agent does not run.',
    consequence:
      'Nothing of this device can be seen or controlled. Its agent keeps what it measures and sends it later.',
    response:
      'Check power and network on site. If other devices of the site are away too, begin with the router.',
  }),
  'inverter-standing': of({
    name: 'Inverter gives no power',
    kind: 'finding',
    findings: ['standing', 'fault'],
    severity: 'high',
    forMinutes: 5,
    clearMinutes: 5,
    cause: 'The inverter is switched off, waits for the grid, or reports a fault.',
    consequence: 'Its strings produce nothing while the sun shines.',
    response: 'Read the state code of the inverter. Check the DC switch and the AC breaker, then restart it.',
  }),
  'inverter-silent': of({
    name: 'Inverter does not answer',
    kind: 'finding',
    findings: ['silent'],
    severity: 'medium',
    forMinutes: 15,
    clearMinutes: 5,
    window: { kind: 'sun' },
    cause: 'The bus to the inverter is interrupted, or the inverter is without supply.',
    consequence: 'Nobody can tell whether it produces.',
    response: 'Check the address and the cable of the bus. Look at other devices on the same line.',
  }),
  'inverter-below': of({
    name: 'Less energy than expected',
    kind: 'finding',
    findings: ['below'],
    severity: 'low',
    forMinutes: 0,
    cause: 'A string is out, modules are dirty or shaded, or the output is limited.',
    consequence: 'The energy that is missing adds up day by day.',
    response: 'Compare the strings of the inverter and look at the fuses. Plan a visit when it lasts.',
  }),
  'agent-errors': of({
    name: 'Agent reports errors',
    kind: 'event',
    table: 'agent_errors',
    severity: 'low',
    clearMinutes: 60,
    cause: 'A file cannot be read, or a value does not have the type that was declared.',
    consequence: 'Some values are missing.',
    response: 'Open the table agent_errors for this device: each row names the source and what is wrong.',
  }),
  'control-not-followed': of({
    name: 'Setpoint is not followed',
    kind: 'control',
    findings: ['notFollowed'],
    severity: 'high',
    latched: true,
    cause: 'An inverter refuses the setpoint, is in local mode, or cannot be written to.',
    consequence: 'The plant gives more or less than was agreed. What was before is back, but for a stop.',
    response:
      'Open the schedule of the device: it says which inverter, and why. Look at the inverter on site.',
  }),
  'control-foreign-write': of({
    name: 'Somebody else writes setpoints',
    kind: 'control',
    findings: ['foreignWrite'],
    severity: 'high',
    latched: true,
    cause: 'Another controller, a portal of the maker or a person on site wrote over the setpoint.',
    consequence: 'The inverter obeys somebody else. Nobody writes over it again.',
    response: 'Find out who writes, and agree on who controls this plant.',
  }),
  'network-change': of({
    name: 'New host or open port',
    kind: 'network',
    severity: 'medium',
    latched: true,
    cause: 'Something was added to the network of the site, or a port was opened.',
    consequence: 'An unknown device may reach the machines of the plant.',
    response: 'Find out whose it is. Accept it in the security services, or have it removed.',
  }),
};
