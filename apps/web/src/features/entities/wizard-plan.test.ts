import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import { type Machine, newMachine } from '@albedo/contract/machines/machines.schema';
import { expect, test } from 'vitest';
import { entitiesOf, fittingMachines, planSites } from './wizard-plan.ts';

const source = (name: string, ...fields: string[]): KnownSource => ({
  deviceId: 'd',
  table: 'solar',
  source: name,
  kind: 'inverter',
  fields: fields.map((field) => ({ name: field, units: null, role: null, factor: 1, offset: 0 })),
});
const machine = (name: string, ...fields: string[]): Machine => ({
  ...newMachine.parse({ name, class: 'inverter' }),
  version: 1,
  _id: name,
  roles: Object.fromEntries(
    (['acPower', 'energyTotal'] as const).flatMap((role, at) =>
      fields[at] ? [[role, { table: 'solar', field: fields[at], units: null }]] : [],
    ),
  ),
});

test('machines fit whose roles the source has, all of them; of these those with the most', () => {
  const [small, large] = [machine('small', 'W'), machine('large', 'W', 'Wh')];
  const namesFor = (one: KnownSource, machines: Machine[]) =>
    fittingMachines([one], machines).map(({ name }) => name);
  expect(namesFor(source('a', 'W', 'Wh'), [small, large])).toEqual(['large']);
  expect(namesFor(source('a', 'W'), [large, small])).toEqual(['small']);
  expect(namesFor(source('a', 'Pac'), [small, large, machine('empty')])).toEqual([]);
  expect(namesFor(source('a', 'W'), [small, machine('other', 'W')])).toEqual(['small', 'other']);
});

test('no make is guessed where several send the same, but a source that an entity reads is what that entity is', () => {
  const [sources, makes] = [
    [source('inv-1', 'W'), source('inv-2', 'W')],
    [machine('x', 'W'), machine('y', 'W')],
  ];
  const reader = { machine: 'y', signals: { sources: [{ deviceId: 'd', source: 'inv-1' }] } };
  const [site] = planSites([{ id: 'd', name: 'Roof' }], sources, makes, [reader]);
  expect(site?.children.map((one) => one.machine?.name)).toEqual(['y', undefined]);
});

test('there is a site for each device and a child for each source, whatever tables it fills', () => {
  const sources = [source('inv-1', 'W'), { ...source('inv-1', 'T'), table: 'heat' }, source('inv-2', 'W')];
  const sites = planSites([{ id: 'd', name: 'Roof' }], sources, [], []);
  expect(sites[0]?.children.map((one) => one.source)).toEqual(['inv-1', 'inv-2']);
  const [site, first] = entitiesOf(sites, 'top');
  expect(site).toMatchObject({ name: 'Roof', parent: 'top' });
  expect(first).toMatchObject({
    name: 'inv-1',
    parent: site?._id,
    signals: { sources: [{ deviceId: 'd', source: 'inv-1' }] },
  });
});
