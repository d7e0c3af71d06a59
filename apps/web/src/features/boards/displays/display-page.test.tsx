import type { ShownDisplay } from '@albedo/contract/displays/displays.schema';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen } from '../../../app/test-screen.tsx';
import { DisplayPage } from './display-page.tsx';
import { nextOf } from './use-turn.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  window.location.hash = '';
});

const entity = (_id: string, name: string) => ({
  ...{ _id, name, parent: null, children: [], labels: ['site'], machine: null, meta: {}, settings: {} },
  signals: { sources: [], fields: [], calculationFields: [], fieldConfig: [] },
});
const TEXT = {
  id: 'a',
  kind: 'text',
  place: { x: 0, y: 0, w: 24, h: 6 },
  settings: { text: 'Welcome to **{entity}**.' },
};
const display = (more: Partial<ShownDisplay> = {}): ShownDisplay => ({
  name: 'Entrance',
  pages: [
    {
      board: {
        ...{ _id: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11', type: 'label', typeId: 'site', name: 'Site' },
        ...{ version: 1, widgets: 1, updatedAt: 0, board: { format: 1, items: [TEXT] } },
      },
      entities: ['hill', 'yard'],
      choices: ['hill', 'yard'],
      range: null,
      offered: {},
    },
  ],
  ...{ intervalS: 20, order: 'given', free: [], sources: [], machines: [], lookupTables: [], kpis: [] },
  entities: [entity('hill', 'Hilltop'), entity('yard', 'Yard')] as never,
  expiresAt: Date.now() + 86_400_000,
  ...more,
});

/** Everything is as large as a screen, so that widgets are drawn. */
class Sized {
  readonly #told: ResizeObserverCallback;

  constructor(told: ResizeObserverCallback) {
    this.#told = told;
  }

  observe(target: Element): void {
    const contentRect = {
      left: 0,
      right: 1200,
      top: 0,
      bottom: 600,
      width: 1200,
      height: 600,
    } as DOMRectReadOnly;
    this.#told([{ target, contentRect } as ResizeObserverEntry], this);
  }
  unobserve(): void {}
  disconnect(): void {}
}

test('a display shows its dashboard with the token of its address, and turns to the next entity', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  window.location.hash = '#display.secret';
  const asked = fakeNetwork(({ path }) => ({ body: path.endsWith('/display') ? display() : [] }));
  await showScreen(<DisplayPage />);
  expect(await screen.findByText('Hilltop')).toBeTruthy();
  const first = asked.find(({ path }) => path.endsWith('/display'));
  expect(first?.headers.get('authorization')).toBe('Bearer display.secret');
  expect(first?.path).not.toContain('secret');
  await act(() => vi.advanceTimersByTimeAsync(20_500));
  expect(await screen.findByText('Yard')).toBeTruthy();
});

test('a dashboard in the time of its site has a clock, whatever zone the site has', async () => {
  window.location.hash = '#display.secret';
  const [page] = display().pages;
  if (!page) throw new Error('The display has no page.');
  const board = { ...page.board, board: { ...page.board.board, zone: 'collected' as const } };
  const shown = display({ pages: [{ ...page, board }] });
  fakeNetwork(({ path }) => ({ body: path.endsWith('/display') ? shown : [] }));
  await showScreen(<DisplayPage />);
  expect(await screen.findByText('Hilltop')).toBeTruthy();
  expect(document.querySelector('time')?.textContent).toMatch(/\d/);
});

test('people in front of it choose the entity only where the link says so', async () => {
  window.location.hash = '#display.secret';
  fakeNetwork(() => ({ body: display({ free: ['entity'] }) }));
  await showScreen(<DisplayPage />);
  const choice = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Entity' });
  expect(choice.value).toBe('Hilltop');
  await userEvent.click(choice);
  await userEvent.click(await screen.findByRole('option', { name: 'Yard' }));
  await vi.waitFor(() => expect(choice.value).toBe('Yard'));
});

test('a display whose server is away keeps what it shows, and says how old it is', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  window.location.hash = '#display.secret';
  let isAway = false;
  fakeNetwork(() => (isAway ? { status: 502, body: {} } : { body: display() }));
  await showScreen(<DisplayPage />);
  expect(await screen.findByText('Hilltop')).toBeTruthy();
  isAway = true;
  await act(() => vi.advanceTimersByTimeAsync(70_000));
  expect(await screen.findByText(/^No connection, values from/)).toBeTruthy();
  expect(screen.getByText(/Hilltop|Yard/)).toBeTruthy();
  isAway = false;
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  await vi.waitFor(() => expect(screen.queryByText(/^No connection/)).toBeNull());
});

test('a link that has ended says so, and shows nothing any more', async () => {
  window.location.hash = '#display.secret';
  const message = 'This display link does not work any more. Ask whoever gave it to you for a new one.';
  fakeNetwork(() => ({ status: 401, body: { message, error: 'display.ended' } }));
  await showScreen(<DisplayPage />);
  expect(await screen.findByText('This display has ended')).toBeTruthy();
  expect(screen.getByText(message)).toBeTruthy();
});

test('a random order never shows the same page twice in a row', () => {
  for (let i = 0; i < 200; i++) expect(nextOf(2, 5, true)).not.toBe(2);
  expect(nextOf(4, 5, false)).toBe(0);
});

test('people in front of it choose the variables that the link leaves free, among what it offers', async () => {
  window.location.hash = '#display.secret';
  const shown = display();
  const [page] = shown.pages;
  if (!page) throw new Error('There is no page.');
  const variables = [{ name: 'plant', kind: 'entity', title: 'Plant', initial: 'yard' }];
  const board = { ...page.board, board: { format: 1, items: [TEXT], variables } };
  // Of all entities that the display knows only two are offered.
  const offered = {
    plant: ['Hilltop', 'Yard'].map((text) => ({ value: text === 'Yard' ? 'yard' : 'hill', text })),
  };
  const entities = [...shown.entities, entity('all', 'All') as never];
  fakeNetwork(() => ({
    body: { ...shown, entities, pages: [{ ...page, board, entities: ['hill'], choices: ['hill'], offered }] },
  }));
  await showScreen(<DisplayPage />);
  const plant = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Plant' });
  expect(plant.value).toBe('Yard');
  await userEvent.click(plant);
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Hilltop', 'Yard']);
  await userEvent.click(screen.getByRole('option', { name: 'Hilltop' }));
  expect(plant.value).toBe('Hilltop');
});

test('a display asks for the KPIs of its widgets by its link; one that is refused does not end it', async () => {
  vi.stubGlobal('ResizeObserver', Sized);
  window.location.hash = '#display.secret';
  const KPI = '0c5f7b1e-8f5e-4d39-9d0f-0f6f0c1d2e3f';
  const shown = display();
  const [page] = shown.pages;
  if (!page) throw new Error('There is no page.');
  const place = { x: 0, y: 0, w: 12, h: 6 };
  const items = [
    { id: 'ratio', kind: 'kpi', place, settings: { figure: { kpi: KPI, value: 'ratio' } } },
    {
      ...{ id: 'ranking', kind: 'league', place: { ...place, x: 12 } },
      settings: { rows: 'self', by: 'kpi', figure: { kpi: KPI }, range: 'last-7-days' },
    },
  ];
  const board = { ...page.board, board: { format: 1, items, range: 'today' } };
  const kpis = [{ _id: KPI, name: 'Yield', version: 3, values: { ratio: { displayName: 'Ratio' } } }];
  const result = { displayName: 'Ratio', isPrimary: true, kind: 'formula', units: '', value: 0.87 };
  const answer = {
    ...{ version: 3, entity: 'hill', zone: 'UTC', zoneFrom: 'question', from: 0, to: 1, computedAt: 0 },
    values: { ratio: { ...result, coverage: 1, count: 3, uses: [], streamCount: 0 } },
  };
  const message = 'This display link shows its dashboards and nothing else.';
  const asked = fakeNetwork(({ path }) => {
    if (path.endsWith('/display/kpi')) return { body: answer };
    if (path.endsWith('/display/kpiRows'))
      return { status: 403, body: { message, error: 'display.not_asked' } };
    return { body: path.endsWith('/display') ? { ...shown, kpis, pages: [{ ...page, board }] } : [] };
  });
  await showScreen(<DisplayPage />);
  expect(await screen.findByText('0.87')).toBeTruthy();
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.queryByText('This display has ended')).toBeNull();
  const bodyOf = (end: string) => asked.find(({ path }) => path.endsWith(end))?.body;
  expect(bodyOf('/display/kpi')).toMatchObject({ kpi: KPI, value: 'ratio', entity: 'hill', range: 'today' });
  expect(bodyOf('/display/kpiRows')).toMatchObject({ entities: ['hill'], range: 'last-7-days' });
  expect(screen.queryByRole('button', { name: /comes from/ })).toBeNull();
});

test.each(['', '#%'])('a link of which a part was lost says so, and asks for nothing: %j', async (hash) => {
  window.location.hash = hash;
  const asked = fakeNetwork(() => ({ body: {} }));
  await showScreen(<DisplayPage />);
  expect(await screen.findByText('This link is not complete')).toBeTruthy();
  expect(asked).toEqual([]);
});
