import { expect, test } from 'vitest';
import { type IncidentRow, incidentOf } from './incident-state.ts';

const NOW = Date.UTC(2026, 5, 14, 12);
const ENERGY = { energyWh: 5000, powerW: 1200, basis: 'peers', money: null, at: NOW } as const;
const row = (of: Partial<IncidentRow>): IncidentRow => ({
  ...{ id: 'one', workgroup: 'main', alert: 'a', subjectKey: 'inv-1', name: 'No power', kind: 'finding' },
  ...{ finding: 'standing', severity: 'high', category: null, device: 'd', table: 't', source: 'inv-1' },
  ...{ subject: 'inv-1', condition: 'active', isLatched: false, closedAt: null, closeReason: null },
  ...{ since: new Date(NOW), createdAt: new Date(NOW), changedAt: new Date(NOW), clearedAt: null },
  ...{ acknowledged: [], shelvedUntil: null, shelvedReason: null, silenced: null, causedBy: null, count: 1 },
  ...{ reading: { field: null, value: null, units: null, limit: null }, energy: ENERGY },
  ...of,
});
const energyOf = (of: Partial<IncidentRow>) =>
  incidentOf(row(of), { severities: new Map(), deviceName: null, now: NOW }).energy;

test('what is over, or cannot be judged, keeps what it lost and loses no more', () => {
  expect([energyOf({}), energyOf({ condition: 'unknown' })]).toEqual([ENERGY, ENERGY]);
  const stopped = { ...ENERGY, powerW: null };
  expect(energyOf({ condition: 'clear' })).toEqual(stopped);
  expect(energyOf({ condition: 'failed' })).toEqual(stopped);
  expect(energyOf({ closedAt: new Date(NOW) })).toEqual(stopped);
  expect(energyOf({ condition: 'clear', energy: null })).toBeNull();
});
