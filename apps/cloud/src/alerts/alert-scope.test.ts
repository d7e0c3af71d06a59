import { expect, test } from 'vitest';
import { inScope, labelsIn } from './alert-scope.ts';

test('an alert of a label means the sources that have it and those below them, as they are now', () => {
  const device = { sourceLabels: {} as Record<string, { labels: string[]; parent: string | null }> };
  const hasLabel = labelsIn({ known: (id) => (id === 'roof' ? device : null) as never });
  const isMeant = inScope({ kind: 'label', label: 'pv' }, new Map(), hasLabel);
  expect([isMeant('roof', 'inverter'), isMeant('roof', null)]).toEqual([false, false]);
  device.sourceLabels = {
    station: { labels: ['pv'], parent: null },
    inverter: { labels: [], parent: 'station' },
    meter: { labels: ['grid'], parent: null },
  };
  expect(['station', 'inverter', 'meter', null].map((source) => isMeant('roof', source))).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect(isMeant('yard', 'inverter')).toBe(false);
});
