import { deviceMeta } from '@albedo/contract/devices/meta.schema';
import { expect, test } from 'vitest';
import { ownSources } from './own-sources.ts';

const meta = deviceMeta.parse({
  dynamic: [
    {
      table: 'solar',
      source: 'inv-01',
      fields: ['power', 'energy', 'state'].map((name) => ({ name, expect: 'decimal' })),
    },
    { table: 'solar', source: 'inv-02', fields: 'solar.inv-01' },
  ],
});
const latest = (table: string, source: string) => ({
  table,
  source,
  eventAt: 1,
  values: { extra: 4, energy: 2, power: 1 },
});

test('fields stand in the order of their stream, those it does not name last', () => {
  for (const source of ['inv-01', 'inv-02']) {
    const [one] = ownSources([latest('solar', source)], meta);
    expect(Object.entries(one?.values ?? {})).toEqual([
      ['power', 1],
      ['energy', 2],
      ['extra', 4],
    ]);
  }
  const [unknown] = ownSources([latest('meter', 'grid')], meta);
  expect(Object.keys(unknown?.values ?? {})).toEqual(['extra', 'energy', 'power']);
});

test('what the cloud notes about a device is none of its sources', () => {
  const sources = ownSources([latest('audit_logs', 'cloud'), latest('audit_logs', 'own')], null);
  expect(sources.map(({ source }) => source)).toEqual(['own']);
});
