import type { BoardItem } from '@albedo/contract/boards/board-items';
import { settingsOf } from '@albedo/contract/boards/boards.schema';
import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../../../app/test-screen.tsx';
import { type BoardContext, BoardRoom } from '../../board-context.ts';
import { KpiView } from './kpi-view.tsx';

const HOUR = 3_600_000;
const KPI = '0c5f7b1e-8f5e-4d39-9d0f-0f6f0c1d2e3f';
const shown = { isPrimary: false, displayName: '', description: '', units: '' };
const RATIO = {
  ...{ _id: KPI, name: 'Performance ratio', description: '', version: 4, updatedAt: 0 },
  values: {
    energy: { ...shown, kind: 'metadata', key: 'kWp', lookup: 'below', aggregator: 'sum', fallback: null },
    ratio: { ...shown, isPrimary: true, kind: 'formula', formula: 'energy / 2', each: null },
  },
};
const result = (kind: string, value: number | null, more: object = {}) => ({
  ...{
    displayName: '',
    isPrimary: false,
    kind,
    units: '',
    value,
    coverage: 0.9,
    count: 12,
    uses: [],
    streamCount: 0,
  },
  ...more,
});
const ANSWER = {
  ...{ version: 4, entity: 'roof', zone: 'Africa/Johannesburg', zoneFrom: 'entity', from: 0, to: 3 * HOUR },
  ...{ starts: [0, HOUR, 2 * HOUR, 3 * HOUR], computedAt: 2.1 * HOUR },
  values: {
    energy: result('metadata', 61.6),
    ratio: result('formula', 0.87, {
      isPrimary: true,
      series: [0.86, 0.88, 0.01],
      formula: 'energy / 2',
      uses: ['energy'],
    }),
  },
};

function show(settings: object, more: Partial<BoardContext> = {}) {
  signInAs();
  const asked = fakeNetwork(({ method, path }) => ({
    body: method === 'POST' ? ANSWER : path.includes('kpis') ? [RATIO] : [],
  }));
  const board = {
    ...{ wg: 'demo', entityId: 'roof', zone: 'UTC', isEditing: false, isDisplay: false, byId: new Map() },
    ...{ range: { kind: 'preset', preset: 'today' }, span: { from: 0, to: 2 * HOUR } },
    ...more,
  } as unknown as BoardContext;
  void showScreen(
    <BoardRoom value={board}>
      <KpiView
        item={{ id: 'one', kind: 'kpi' } as BoardItem}
        settings={settingsOf({ kind: 'kpi', settings: settings as never }) as SettingsOf<'kpi'>}
        title="PR"
        width={300}
        height={160}
      />
    </BoardRoom>,
  );
  return asked;
}

test('a KPI shows its primary value, how much is known, and how far its target is', async () => {
  const asked = show({ figure: { kpi: KPI }, target: 0.9, range: 'last-7-days' });
  expect(await screen.findByText('0.87')).toBeTruthy();
  expect(screen.getByText(/90\.0 % of the range has data/)).toBeTruthy();
  expect(screen.getByText(/^97 % of 0\.9/)).toBeTruthy();
  // The range in the site's time zone, without the unfinished hour.
  const line = screen.getByRole('img', { name: /^How PR went, .* 02:00 – 05:00$/ });
  expect(line.querySelector('title')?.textContent).toMatch(/^How PR went/);
  expect(line.querySelectorAll('path')).toHaveLength(2);
  expect(line.querySelectorAll('path')[1]?.getAttribute('d')).toMatch(/^M0\.0,\S+L100\.0,\S+$/);
  const question = asked.find(({ method }) => method === 'POST')?.body;
  expect(question).toMatchObject({ entity: 'roof', timeframe: 'last-7-days', interval: '1d' });
});

test('another of its values can be shown', async () => {
  show({ figure: { kpi: KPI, value: 'energy' } });
  expect(await screen.findByText('61.6')).toBeTruthy();
});

test('where it comes from opens with version, formula and zone', async () => {
  const asked = show({ figure: { kpi: KPI } });
  await userEvent.click(await screen.findByRole('button', { name: 'Where PR comes from' }));
  expect(await screen.findByText(/version 4/i)).toBeTruthy();
  expect(screen.getByText(/energy \/ 2/)).toBeTruthy();
  expect(screen.getByText(/Africa\/Johannesburg/)).toBeTruthy();
  expect(asked.filter(({ body }) => (body as { detail?: boolean } | undefined)?.detail)).toHaveLength(1);
});

test('a KPI that is gone says so', async () => {
  show({ figure: { kpi: 'a6b0c1de-8f5e-4d39-9d0f-0f6f0c1d2e3f' } });
  expect(await screen.findByText(/This KPI, or this value of it, no longer exists/)).toBeTruthy();
});
