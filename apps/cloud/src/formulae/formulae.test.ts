import { randomUUID } from 'node:crypto';
import { formula } from '@albedo/contract/formulae/formulae.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let owner = '';
let ann = '';
let device = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.owner();
  ann = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  device = (await cloud.call('POST', 'devices/main', { token: owner, body: { name: 'Roof' } })).body.id;
  const fields = [
    { name: 'AC Power', type: 'decimal' as const, units: 'kW' },
    { name: 'Energy', type: 'decimal' as const, units: 'kWh' },
  ];
  const stream = { table: 'inverter', source: 'inv-01', fields };
  const block = {
    workgroup: 'main',
    device,
    stream,
    rows: [[1, Date.now(), 4, 20]] as [number, number, ...number[]][],
  };
  await cloud.cloud.features.telemetry.asSystem('ingest').insert([block], randomUUID());
});
afterAll(() => cloud.stop());

const ask = (method: string, path: string, token: string, body?: unknown) =>
  cloud.call(method, `formulae/main${path}`, { token, body });
const input = (name: string, field: string) => ({ name, device, table: 'inverter', source: 'inv-01', field });
const DOUBLE = { title: 'Double', expression: 'power * 2', unit: 'W', inputs: [] as object[] };
const withPower = (change: object = {}) => ({ ...DOUBLE, inputs: [input('power', 'AC Power')], ...change });

test('a formula is personal until it is shared; then members read it, and coordinators change it', async () => {
  const made = formula.parse((await ask('POST', '', ann, withPower())).body);
  expect(made).toMatchObject({ title: 'Double', resultUnit: 'W', shareable: true });
  expect(made.orgRef).toBeUndefined();
  const path = `/${made._id}`;
  expect((await ask('GET', '', owner)).body).toEqual([]);
  expect((await ask('PUT', `${path}/share`, owner)).body.error).toBe('formula.not_found');

  expect((await ask('PUT', `${path}/share`, ann)).body.orgRef).toBe('main');
  const bob = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  expect((await ask('GET', '', bob)).body).toMatchObject([{ title: 'Double', shareable: false }]);
  expect((await ask('PUT', path, bob, withPower())).body.error).toBe('formula.of_another');
  expect((await ask('PUT', path, owner, withPower({ unit: null }))).body.resultUnit).toBe('kW');
  expect((await ask('DELETE', `${path}/share`, ann)).status).toBe(200);
  expect((await ask('GET', '', bob)).body).toEqual([]);
  expect((await ask('DELETE', path, ann)).status).toBe(200);
  expect((await ask('DELETE', path, ann)).body.error).toBe('formula.not_found');
  const entries = (await auditOf(cloud, 'main')).filter((one) => one.controller === 'formula');
  expect(entries.map((one) => one.action)).toEqual(['create', 'share', 'update', 'share', 'delete']);
});

test('what the expression gets wrong points at its character', async () => {
  const issueOf = async (change: object) => {
    const { status, body } = await ask('POST', '', ann, withPower(change));
    expect(status).toBe(400);
    return body.issues?.[0] ?? body.error;
  };
  const two = { inputs: [input('power', 'AC Power'), input('energy', 'Energy')] };
  expect(await issueOf({ ...two, expression: 'power + energy' })).toMatchObject({
    path: 'expression',
    facts: { at: '7', what: 'kW and kWh cannot be combined here.' },
  });
  expect(await issueOf({ expression: 'power + nothing' })).toMatchObject({
    path: 'expression',
    facts: { at: '9' },
  });
  expect(await issueOf({ unit: 'kWh' })).toMatchObject({ path: 'unit' });
  expect(await issueOf({ inputs: [input('AC Power', 'AC Power')] })).toMatchObject({ path: 'inputs.0.name' });
  expect(await issueOf({ inputs: [input('power', 'Nothing')] })).toBe('table.field_unknown');
});

test('a device of nobody, or outside the device group, is no input, and its formulas do not exist', async () => {
  const stranger = { ...input('power', 'AC Power'), device: randomUUID() };
  expect((await ask('POST', '', ann, withPower({ inputs: [stranger] }))).body.error).toBe('device.not_found');
  const { _id } = (await ask('POST', '', owner, withPower())).body;
  await ask('PUT', `/${_id}/share`, owner);
  const group = { name: 'Nothing', composition: { type: 'IN', devices: [] } };
  const { body } = await cloud.call('POST', 'orgs/main/device-groups', { token: owner, body: group });
  const permissions = ['read', 'coordinate'] as const;
  const bound = await cloud.newUser({
    main: { role: 'power', permissions: [...permissions], devGroup: body._id },
  });
  expect((await ask('GET', '', bound)).body).toEqual([]);
  expect((await ask('DELETE', `/${_id}`, bound)).body.error).toBe('formula.not_found');
  expect((await ask('POST', '', bound, withPower())).body.error).toBe('device.not_found');
});
