import type { BoardItem } from '@albedo/contract/boards/board-items';
import { board as boardSchema, settingsOf } from '@albedo/contract/boards/boards.schema';
import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { EntityWorld } from '@albedo/contract/entities/entity-streams';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { showScreen } from '../../../../app/test-screen.tsx';
import { type BoardContext, BoardRoom } from '../../board-context.ts';
import { placesOf } from './arrange.ts';
import { DiagramView } from './diagram-view.tsx';

const DEVICE = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';
const SOURCES = [
  {
    ...{ deviceId: DEVICE, table: 'meter', source: 'meter', kind: 'meter' },
    fields: [{ name: 'P', units: 'W', role: 'gridPower', factor: 1, offset: 0 }],
  },
] as unknown as KnownSource[];
const SITE = {
  ...{
    _id: 'site',
    name: 'Site',
    parent: null,
    children: [],
    labels: [],
    machine: null,
    meta: {},
    settings: {},
  },
  signals: {
    ...{ sources: [{ deviceId: DEVICE, source: 'meter' }], fields: [] },
    ...{ calculationFields: [], fieldConfig: [] },
  },
} as unknown as Entity;

const gridPower = { over: 'self', role: 'gridPower', combine: 'sum' };
const DRAWING = {
  nodes: [
    { id: 'bus', symbol: 'bus', name: 'Board' },
    { id: 'meter', symbol: 'meter', name: 'Meter', stream: gridPower },
    { id: 'grid', symbol: 'grid', name: 'Grid' },
  ],
  edges: [
    { id: 'a', from: 'grid', to: 'meter', stream: gridPower, idle: 5 },
    { id: 'b', from: 'meter', to: 'bus', stream: gridPower, idle: 5 },
  ],
};

function show(gridW: number, drawing: object = DRAWING) {
  const world = new EntityWorld({ entities: [SITE], sources: SOURCES });
  const board = {
    ...{ wg: 'demo', entityId: 'site', zone: 'UTC', isLive: true, isEditing: false, isDisplay: false },
    ...{ world, entities: [SITE], sources: SOURCES, byId: new Map([['site', SITE]]) },
    span: { from: 0, to: 1 },
    live: {
      start: () => () => {},
      get: () => ({ value: gridW, eventAt: Date.now() }),
      watch: () => () => {},
    },
    words: () => null,
  } as unknown as BoardContext;
  const settings = settingsOf({ kind: 'diagram', settings: { drawing } }) as SettingsOf<'diagram'>;
  return showScreen(
    <BoardRoom value={board}>
      <DiagramView
        item={{ id: 'one', kind: 'diagram' } as BoardItem}
        settings={settings}
        title="One"
        width={800}
        height={300}
      />
    </BoardRoom>,
  );
}

const ways = () =>
  [...document.querySelectorAll('path[class*="moving"]')].map((one) => one.getAttribute('data-way'));

test('what flows turns with its sign, in the picture and in words', async () => {
  await show(2500);
  expect(await screen.findByRole('img', { name: /Meter 2\.50 kW.*Grid to Meter 2\.50 kW/ })).toBeTruthy();
  expect(ways()).toEqual(['forwards', 'forwards']);
});

test('power to the grid flows the other way, and is said without its sign', async () => {
  await show(-1200);
  expect(
    await screen.findByRole('img', { name: /Meter to Grid 1\.20 kW, Board to Meter 1\.20 kW/ }),
  ).toBeTruthy();
  expect(ways()).toEqual(['backwards', 'backwards']);
});

test('noise is no flow', async () => {
  await show(3);
  expect(await screen.findByRole('img', { name: /Grid to Meter nothing flows/ })).toBeTruthy();
  expect(ways()).toEqual([]);
});

test('a diagram can be read as a table', async () => {
  await show(2500);
  await userEvent.click(await screen.findByRole('button', { name: 'Show One as a table' }));
  expect(screen.getByRole('row', { name: 'Meter to Board 2.50 kW' })).toBeTruthy();
});

test('parts without places stand in order along their lines', () => {
  const { drawing } = settingsOf({
    kind: 'diagram',
    settings: { drawing: DRAWING },
  }) as SettingsOf<'diagram'>;
  const places = placesOf(drawing);
  const xOf = (id: string) => places.get(id)?.x ?? 0;
  expect(xOf('grid') < xOf('meter') && xOf('meter') < xOf('bus')).toBe(true);
});

test('a line to a part that is not there is refused by its place', () => {
  const edges = [{ id: 'a', from: 'grid', to: 'nowhere' }];
  const items = [{ id: 'd', kind: 'diagram', settings: { drawing: { ...DRAWING, edges } } }];
  const { error } = boardSchema.safeParse({ items });
  expect(error?.issues).toEqual([
    expect.objectContaining({
      path: ['items', 0, 'settings', 'drawing', 'edges', '0', 'to'],
      message: 'The diagram has no part with the id nowhere.',
    }),
  ]);
});
