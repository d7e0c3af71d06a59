import { NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { calculation } from '../../app/test-calculation.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { CalculationList } from './calculation-list.tsx';
import { DefinitionForm } from './definition-page.tsx';
import { Results } from './results-page.tsx';

const HOUR = 3_600_000;
const hilltop = {
  _id: 'hilltop',
  name: 'Hilltop',
  parent: null,
  labels: [],
  machine: null,
  children: [],
  meta: {},
  signals: NO_SIGNALS,
  settings: {},
};
const change = { entity: 'hilltop', field: 'energy', at: 0, was: 3, now: 5, cause: 'late', version: 2 };
const of = (value: number, rest: object) => ({
  displayName: '',
  isPrimary: false,
  units: 'kWh',
  value,
  coverage: 1,
  count: 4,
  uses: [],
  streamCount: 1,
  ...rest,
});
const answer = {
  version: 2,
  entity: 'hilltop',
  zone: 'Europe/Rome',
  zoneFrom: 'entity',
  from: 0,
  to: HOUR,
  computedAt: 0,
  values: {
    counter: of(5, { kind: 'aggregate', streams: [] }),
    energy: of(5, { kind: 'formula', formula: 'counter', uses: ['counter'] }),
  },
};

function network() {
  return fakeNetwork(({ method, path }) => {
    if (path.includes('entities')) return { body: [hilltop] };
    if (path.endsWith('/changes')) return { body: [{ ...change, changedAt: 0 }] };
    if (path.endsWith('/explain'))
      return { body: { answer, stored: { energy: 5 }, changes: [{ ...change, changedAt: 0 }] } };
    if (path.endsWith('/values'))
      return {
        body: {
          zone: 'Europe/Rome',
          starts: [0, HOUR, 2 * HOUR],
          fields: { energy: { units: 'kWh', values: [5, null] } },
        },
      };
    return { body: method === 'PUT' ? calculation : [calculation] };
  });
}

test('a number opens where it comes from: version, streams, zone, and what late data changed', async () => {
  signInAs();
  const asked = network();
  await showScreen(<Results wg="demo" calculation={calculation} />);
  await userEvent.click(await screen.findByRole('button', { name: /5\.00/ }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText('counter (from counter)')).toBeTruthy();
  expect(within(dialog).getByText(/by version 2 of the definition/)).toBeTruthy();
  expect(within(dialog).getByText('Days in Europe/Rome, set on the entity')).toBeTruthy();
  expect(within(dialog).getByText('late data')).toBeTruthy();
  const explained = asked.find(({ path }) => path.endsWith('/explain'))?.body;
  expect(explained).toEqual({ entity: 'hilltop', at: 0 });
});

test('a calculation is switched off and stays as it is', async () => {
  signInAs();
  const asked = network();
  await showScreen(<DefinitionForm wg="demo" calculation={calculation} onOpen={() => {}} />);
  fireEvent.click(await screen.findByText('Switched on'));
  fireEvent.click(screen.getByText('Save'));
  const sent = () => asked.find(({ method }) => method === 'PUT')?.body;
  await vi.waitFor(() => expect(sent()).toMatchObject({ name: 'Yield', isActive: false, interval: '1h' }));
});

test('where there is none yet, a new one needs a name', async () => {
  signInAs();
  fakeNetwork(() => ({ body: [] }));
  await showScreen(<CalculationList />);
  fireEvent.click(await screen.findByText('Create new'));
  fireEvent.click(await screen.findByText('Save'));
  expect(await screen.findByText('Required')).toBeTruthy();
});
