import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { GeneralSection } from './general-section.tsx';

test('the page at which members start is chosen from pages and dashboards, and taken away again', async () => {
  signInAs();
  const settings: Record<string, unknown> = {};
  const asked = fakeNetwork(({ method, path, body }) => {
    if (method === 'PUT') {
      settings.defaultPage = (body as { value: unknown }).value;
      return { body: settings };
    }
    if (path.endsWith('/orgs'))
      return { body: [{ name: 'demo', displayName: 'Demo', addons: [], archs: [], settings }] };
    return { body: [{ _id: 'b1', name: 'Plant overview', type: 'label', typeId: 'pv' }] };
  });
  await showScreen(<GeneralSection />);
  const choice = await screen.findByRole('combobox', { name: 'Default page' });
  await userEvent.click(choice);
  await userEvent.click(await screen.findByRole('option', { name: 'Plant overview' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(settings.defaultPage).toBe('/entities/dash3/b1'));
  expect(asked.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});
