import type { BoardItem } from '@albedo/contract/boards/board-items';
import { settingsOf } from '@albedo/contract/boards/boards.schema';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { EntityWorld } from '@albedo/contract/entities/entity-streams';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../../app/test-screen.tsx';
import { type BoardContext, BoardRoom } from '../board-context.ts';
import { LeagueView } from './league/league-view.tsx';
import { TableView } from './table/table-view.tsx';

const HOUR = 3_600_000;
const KPI = '0c5f7b1e-8f5e-4d39-9d0f-0f6f0c1d2e3f';
const shown = { isPrimary: false, displayName: '', description: '', units: '' };
const YIELD = {
  ...{ _id: KPI, name: 'Yield', description: '', version: 4, updatedAt: 0 },
  values: {
    peak: {
      ...shown,
      displayName: 'Peak',
      kind: 'metadata',
      key: 'kWp',
      lookup: 'below',
      aggregator: 'sum',
      fallback: null,
    },
    yield: { ...shown, isPrimary: true, units: 'kWh/kWp', kind: 'formula', formula: 'peak * 2', each: null },
  },
};
const entity = (id: string, name: string, parent: string | null, children: string[] = []) =>
  ({
    ...{ _id: id, name, parent, children, labels: [], machine: null, meta: {}, settings: {} },
    signals: { sources: [], fields: [], calculationFields: [], fieldConfig: [] },
  }) as unknown as Entity;
const ENTITIES = [
  entity('all', 'All', null, ['harbour', 'hilltop', 'works', 'yard']),
  entity('harbour', 'Harbour', 'all'),
  entity('hilltop', 'Hilltop', 'all'),
  entity('works', 'Works', 'all'),
  entity('yard', 'Yard', 'all'),
];
const row = (id: string, value: number | null, coverage: number) => ({
  ...{ entity: id, zone: 'UTC', from: 0, to: 2 * HOUR },
  values: {
    peak: { value: 10, coverage: null, count: 0 },
    yield: { value, coverage, count: 5 },
  },
});
const ROWS = {
  ...{ version: 4, computedAt: 0 },
  columns: {
    peak: { displayName: 'Peak', isPrimary: false, units: 'kWp' },
    yield: { displayName: '', isPrimary: true, units: 'kWh/kWp' },
  },
  // Nothing is told of the yard, as of whatever somebody may not see.
  rows: [row('harbour', 4.5, 1), row('hilltop', 3, 0.6), row('works', null, 0)],
};
const ANSWER = {
  ...{ version: 4, entity: 'harbour', zone: 'UTC', zoneFrom: 'entity', from: 0, to: 2 * HOUR, computedAt: 0 },
  values: {},
};

function show(kind: 'table' | 'league', settings: object, more: Partial<BoardContext> = {}) {
  signInAs();
  const asked = fakeNetwork(({ method, path }) => ({
    body: path.endsWith('/rows') ? ROWS : method === 'POST' ? ANSWER : path.includes('kpis') ? [YIELD] : [],
  }));
  const board = {
    ...{ wg: 'demo', entityId: 'all', zone: 'UTC', isEditing: false, isDisplay: false },
    ...{ range: { kind: 'preset', preset: 'today' }, span: { from: 0, to: 2 * HOUR } },
    world: new EntityWorld({ entities: ENTITIES, sources: [], machines: [] }),
    byId: new Map(ENTITIES.map((one) => [one._id, one])),
    openEntity: () => {},
    ...more,
  } as unknown as BoardContext;
  const View = kind === 'table' ? TableView : LeagueView;
  void showScreen(
    <BoardRoom value={board}>
      <View
        item={{ id: 'one', kind } as BoardItem}
        settings={settingsOf({ kind, settings: settings as never }) as never}
        title="Sites"
        width={600}
        height={300}
      />
    </BoardRoom>,
  );
  return asked;
}

const rowsShown = () => screen.getAllByRole('row').map(({ textContent }) => textContent);
const COLUMNS = {
  columns: [{ figure: { kpi: KPI }, target: 5 }, { figure: { kpi: KPI, value: 'peak' } }],
  range: 'last-7-days',
};

test('columns of KPIs ask once for all rows, and show units, target and how much is known', async () => {
  const asked = show('table', COLUMNS);
  expect(await screen.findByText('4.50 kWh/kWp')).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: 'Yield' })).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: 'Peak' })).toBeTruthy();
  const cells = (name: string) =>
    within(screen.getByRole('row', { name: new RegExp(name) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(cells('Harbour')[0]).toContain('90 % of 5.00 kWh/kWp');
  expect(cells('Hilltop')[0]).toContain('60.0 % known');
  expect(cells('Yard')).toEqual(['–', '–']);
  expect(cells('Works')[0]).toBe('–Nothing measured');
  const questions = asked.filter(({ path }) => path.endsWith('/rows'));
  expect(questions.map(({ body }) => body)).toEqual([
    { entities: ['harbour', 'hilltop', 'works', 'yard'], timeframe: 'last-7-days', timezone: 'UTC' },
  ]);
});

test('a column of a KPI sorts, with what has no value last, and a figure opens where it comes from', async () => {
  const asked = show('table', COLUMNS);
  await screen.findByText('4.50 kWh/kWp');
  const head = screen.getByRole('button', { name: 'Yield' });
  await userEvent.click(head);
  const names = () =>
    rowsShown()
      .slice(1)
      .map((text) => text?.match(/^[A-Z][a-z]+/)?.[0]);
  expect(names()).toEqual(['Harbour', 'Hilltop', 'Works', 'Yard']);
  await userEvent.click(head);
  expect(names()).toEqual(['Hilltop', 'Harbour', 'Works', 'Yard']);
  await userEvent.click(screen.getByRole('button', { name: '3.00 kWh/kWp' }));
  expect(await screen.findByRole('dialog', { name: 'Hilltop: Yield' })).toBeTruthy();
  expect(await screen.findByText(/version 4/i)).toBeTruthy();
  const detail = asked.find(({ path }) => path.endsWith('/evaluate'))?.body;
  expect(detail).toMatchObject({ entity: 'hilltop', timeframe: 'last-7-days', detail: true });
});

test('the ranking by a KPI begins with the worst, and leaves out what has no value', async () => {
  show('league', { by: 'kpi', figure: { kpi: KPI }, worst: 'low' });
  await screen.findByText('3.00 kWh/kWp');
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(items[0]).toMatch(/^1Hilltop.*60\.0 % known.*3\.00 kWh/);
  expect(items[1]).toMatch(/^2Harbour4\.5/);
  expect(items).toHaveLength(2);
});

test('a KPI that is gone is said below its name', async () => {
  show('table', { columns: [{ name: 'Old', figure: { kpi: 'a6b0c1de-8f5e-4d39-9d0f-0f6f0c1d2e3f' } }] });
  expect(await screen.findByText(/^Old: this KPI, or this value of it, no longer exists/)).toBeTruthy();
});
