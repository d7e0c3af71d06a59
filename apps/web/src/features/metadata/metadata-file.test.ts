import { expect, test } from 'vitest';
import { fileOf } from './metadata-file.ts';

test('a file has a row for everything of which something can be said, and its fields as they can be read back', () => {
  const row = { id: 'a', name: 'Roof', source: '', info: { Site: 'Hill', Other: 'x', Note: '=1+1' } };
  expect(fileOf('device', [row], { keys: ['Site', 'Note'], sources: [] })).toBe(
    "\uFEFFid,name,Site,Note\r\na,Roof,Hill,'=1+1\r\n",
  );
  const sources = ['inverter/10', 'inverter/2'].map((source) => ({ id: 'a', name: 'Roof', source }));
  const said = [{ ...row, source: 'inverter/10', info: { kWp: '5' } }];
  expect(fileOf('source', said, { keys: ['kWp'], sources })).toBe(
    '\uFEFFid,name,source,kWp\r\na,Roof,inverter/2,\r\na,Roof,inverter/10,5\r\n',
  );
});
