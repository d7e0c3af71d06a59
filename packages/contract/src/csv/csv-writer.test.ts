import { expect, test } from 'vitest';
import { csvStyle } from './csv-style.schema.ts';
import { csvText } from './csv-writer.ts';

const AT = new Date('2026-07-01T10:00:00.500Z');
const COLUMNS = [{ title: 'time', isTime: true }, { title: 'P', units: 'kW' }, { title: 'note' }];
const ROWS = [
  [AT, 1234.5678901234567, 'a;b'],
  [null, -0.5, '=1+1'],
];

test('ISO has full digits, units in the names, and times with their offset', () => {
  const style = csvStyle.parse({ timezone: 'Europe/Berlin' });
  expect(csvText(COLUMNS, ROWS, style)).toBe(
    'time,P [kW],note\r\n2026-07-01T12:00:00.500+02:00,1234.5678901234567,"a;b"\r\n,-0.5,\'=1+1\r\n',
  );
});

test('a spreadsheet in German gets commas, semicolons, a mark, and clocks with the offset beside them', () => {
  const style = csvStyle.parse({ delimiter: ';', decimal: ',', bom: true, times: 'clock', timezone: 'site' });
  expect(csvText(COLUMNS, ROWS, style, 'Europe/Berlin')).toBe(
    '\uFEFFtime;time offset;P [kW];note\r\n2026-07-01 12:00:00.500;UTC+02:00;1234,5678901234567;"a;b"\r\n;;-0,5;\'=1+1\r\n',
  );
});

test('a decimal sign that parts columns as well is refused, and so is a zone that no clock knows', () => {
  expect(csvStyle.safeParse({ delimiter: ',', decimal: ',' }).success).toBe(false);
  expect(csvStyle.safeParse({ timezone: 'Nowhere' }).success).toBe(false);
});
