import { expect, test } from 'vitest';
import { z } from 'zod';
import { settingsOf, withThisVersion } from '../boards.schema.ts';
import { fullSettings } from './full-settings.ts';
import { widgetSchema } from './widget-schema.ts';
import { WIDGETS, type WidgetKind } from './widgets.ts';

const stream = { role: 'acPower', over: 'children' };
/** Settings with others inside that have defaults, by their names. */
const NESTED: Readonly<Record<string, unknown>> = {
  stream,
  streams: [stream, { table: 'inverter', field: 'Pac', combine: 'sum' }],
  x: { role: 'irradiancePoa' },
  y: stream,
  production: stream,
  columns: [{ stream, thresholds: [{ from: 1, level: 'ok' }] }, { figure: { kpi: 'yield' } }],
  marks: [{ stream, x: 3 }],
  figure: { kpi: 'yield', value: 'primary' },
  drawing: {
    nodes: [
      { id: 'a', symbol: 'sun', stream },
      { id: 'b', symbol: 'grid' },
    ],
    edges: [{ id: 'e', from: 'a', to: 'b' }],
  },
  thresholds: [],
  link: '/devices',
};
const KINDS = Object.keys(WIDGETS) as WidgetKind[];

test.each(KINDS)('a %s has the settings without its schema that it has with it', (kind) => {
  const names = Object.keys((WIDGETS[kind].settings as z.ZodObject).shape);
  const nested = Object.fromEntries(names.filter((one) => one in NESTED).map((one) => [one, NESTED[one]]));
  for (const settings of [undefined, {}, nested]) {
    const wanted = settingsOf({ kind, settings });
    expect(wanted, JSON.stringify(settings)).not.toBeNull();
    expect(fullSettings({ kind, settings })).toStrictEqual(wanted);
  }
});

test('a setting that is a variable without a value, or a word that it cannot be, is as if it were left out', () => {
  const full = fullSettings({ kind: 'bars', settings: { interval: '{{step}}', function: 'median' } });
  expect(full).toMatchObject({ interval: '1d', function: 'difference' });
  expect(fullSettings({ kind: 'bars', settings: { interval: '1h' } })).toMatchObject({ interval: '1h' });
});

test.each(['none', '__proto__', 'toString'])('nothing is known of a widget called %s', (kind) => {
  expect(fullSettings({ kind, settings: {} })).toBeNull();
});

test('nothing is known of a version that is still to come', () => {
  expect(fullSettings({ kind: 'text', v: 2, settings: {} })).toBeNull();
});

test('widgets of older versions are brought to this one, inside groups too', () => {
  const renamed = widgetSchema({
    version: 2,
    settings: z.strictObject({ words: z.string() }),
    migrate: ({ text }) => ({ words: text }),
  });
  const old = { id: 'a', kind: 'note', settings: { text: 'Hello' } };
  const items = [
    { id: 'g', kind: 'group', items: [old] },
    { ...old, v: 2, settings: { words: 'Bye' } },
  ];
  expect(withThisVersion(items, { note: renamed })).toEqual([
    { id: 'g', kind: 'group', items: [{ ...old, v: 2, settings: { words: 'Hello' } }] },
    { id: 'a', kind: 'note', v: 2, settings: { words: 'Bye' } },
  ]);
});
