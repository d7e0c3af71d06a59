import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { EntityDetail } from './entity-detail.tsx';

const entity = (_id: string, name: string, parent: string | null) => ({
  ...{ _id, name, parent, children: [], labels: [], machine: null, meta: {}, settings: {} },
  signals: { sources: [], fields: [], calculationFields: [], fieldConfig: [] },
});

test('an entity is told with what it lies in, and one at the top with nothing', async () => {
  signInAs();
  fakeNetwork(() => ({ body: [entity('site', 'Cold store', null), entity('inv', 'Inverter 1', 'site')] }));
  const { container } = await showScreen(
    <>
      <EntityDetail id="inv" />
      <EntityDetail id="site" />
    </>,
  );
  expect(await screen.findByText('Cold store')).toBeTruthy();
  expect(container.querySelectorAll('[class*=parent]')).toHaveLength(1);
});
