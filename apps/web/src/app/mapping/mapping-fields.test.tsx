import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { showScreen } from '../test-screen.tsx';
import { FieldRows, type MappingInput } from './mapping-fields.tsx';

type Fields = MappingInput['fields'];
const GUESSES: Record<string, Partial<Fields[number]>> = {
  'P (kW)': { type: 'decimal', name: 'P', units: 'kW', decimal: ',' },
  State: { type: 'keyword' },
};
let now: Fields = [];

function Rows({ first }: { first: Fields }) {
  const [fields, setFields] = useState(first);
  now = fields;
  const columns = Object.keys(GUESSES);
  const guess = (column: string) => GUESSES[column] ?? {};
  return <FieldRows fields={fields} columns={columns} all={columns} guess={guess} onChange={setFields} />;
}
const choose = async (column: string) =>
  fireEvent.change(await screen.findByRole('combobox', { name: 'Column' }), { target: { value: column } });

test('a row that gets another column becomes what that one seems to be', async () => {
  await showScreen(<Rows first={[{ column: 'P (kW)', name: 'P', units: 'kW', decimal: ',' }]} />);
  await choose('State');
  expect(now).toEqual([{ column: 'State', name: 'State', type: 'keyword' }]);
  await choose('P (kW)');
  expect(now).toEqual([{ column: 'P (kW)', ...GUESSES['P (kW)'] }]);
});

test('a name that was given stays with another column', async () => {
  await showScreen(<Rows first={[{ column: 'P (kW)', name: 'Mine', units: 'kW' }]} />);
  await choose('State');
  expect(now).toEqual([{ column: 'State', name: 'Mine', type: 'keyword' }]);
});
