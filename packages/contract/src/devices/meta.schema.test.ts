import { expect, it } from 'vitest';
import { deviceMeta, resolveFields } from './meta.schema.ts';

const power = { name: 'AC Power', expect: 'decimal', meta: { units: 'W' } } as const;

const meta = deviceMeta.parse({
  meter_fields: [power],
  dynamic: [
    { table: 'solar', source: '10.0.0.5/1', fields: [power] },
    { table: 'solar', source: '10.0.0.5/2', fields: 'solar.10.0.0.5/1' },
    { table: 'solar', source: 'a', fields: 'solar.b' },
    { table: 'solar', source: 'b', fields: 'solar.a' },
  ],
  tail: [{ table: 'meter', source: 'main', fields: 'meter_fields' }],
});

const fieldsOf = (kind: 'dynamic' | 'tail', index: number) => {
  const scenario = meta[kind][index];
  return scenario ? resolveFields(meta, kind, scenario) : null;
};

it('a list of fields stands for itself', () => expect(fieldsOf('dynamic', 0)).toEqual([power]));
it('a name without a full stop leads to the shared list', () => expect(fieldsOf('tail', 0)).toEqual([power]));
it('a name with a full stop leads to a scenario of the same kind', () =>
  expect(fieldsOf('dynamic', 1)).toEqual([power]));
it('references in a circle give no fields', () => expect(fieldsOf('dynamic', 2)).toEqual([]));
