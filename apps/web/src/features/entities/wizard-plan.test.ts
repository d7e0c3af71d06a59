import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import { type Machine, newMachine } from '@albedo/contract/machines/machines.schema';
import { expect, test } from 'vitest';
import { entitiesOf, guessMachine, planSites } from './wizard-plan.ts';

const source = (name: string, ...fields: string[]): KnownSource => ({
  deviceId: 'd',
  table: 'solar',
  source: name,
  kind: 'inverter',
  fields: fields.map((field) => ({ name: field, units: null, role: null, factor: 1, offset: 0 })),
});
const machine = (name: string, ...fields: string[]): Machine => ({
  ...newMachine.parse({ name, class: 'inverter' }),
  _id: name,
  roles: Object.fromEntries(
    (['acPower', 'energyTotal'] as const).flatMap((role, at) =>
      fields[at] ? [[role, { table: 'solar', field: fields[at], units: null }]] : [],
    ),
  ),
});

test('a machine is guessed where the source has all its roles, the one with the most of them', () => {
  const [small, large] = [machine('small', 'W'), machine('large', 'W', 'Wh')];
  expect(guessMachine([source('a', 'W', 'Wh')], [small, large])?.name).toBe('large');
  expect(guessMachine([source('a', 'W')], [large, small])?.name).toBe('small');
  expect(guessMachine([source('a', 'Pac')], [small, large, machine('empty')])).toBeNull();
});

test('there is a site for each device and a child for each source, whatever tables it fills', () => {
  const sources = [source('inv-1', 'W'), { ...source('inv-1', 'T'), table: 'heat' }, source('inv-2', 'W')];
  const sites = planSites([{ id: 'd', name: 'Roof' }], sources, []);
  expect(sites[0]?.children.map((one) => one.source)).toEqual(['inv-1', 'inv-2']);
  const [site, first] = entitiesOf(sites, 'top');
  expect(site).toMatchObject({ name: 'Roof', parent: 'top' });
  expect(first).toMatchObject({
    name: 'inv-1',
    parent: site?._id,
    signals: { sources: [{ deviceId: 'd', source: 'inv-1' }] },
  });
});
