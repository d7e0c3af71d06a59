import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { AsCodePage } from './as-code-page.tsx';

// What draws text measures it, which there is nothing for here.
vi.mock('../../ui/code-editor/code-editor.tsx', () => ({
  CodeEditor: ({ text }: { text: string }) => <pre>{text}</pre>,
}));

const CHANGE = {
  id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  by: 'zoe@example.org',
  at: Date.now(),
  count: 3,
  kinds: { entity: 3 },
  names: ['Hall', 'Works'],
};
const PLAN = {
  unchanged: 4,
  things: [
    { kind: 'entity', key: 'hall', action: 'create', changes: [], count: 0 },
    {
      ...{ kind: 'label', key: 'site', action: 'update', count: 1 },
      changes: [{ type: 'CHANGE', path: ['name'], old: 'Site', now: 'Plant' }],
    },
  ],
};

function network() {
  return fakeNetwork(({ method, path }) => {
    if (path.includes('/code/') && method === 'GET') return { body: 'labels: []\n' };
    if (path.endsWith('/plan')) return { body: PLAN };
    if (path.endsWith('/apply')) return { body: { ...PLAN, change: CHANGE } };
    return { body: path.endsWith('/undo') ? CHANGE : [CHANGE] };
  });
}

test('what is there is shown, planned and applied; without a plan nothing can be applied', async () => {
  signInAs();
  const asked = network();
  await showScreen(<AsCodePage />);
  const apply = await screen.findByRole('button', { name: 'Apply' });
  expect(apply.hasAttribute('disabled')).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Load the current state' }));
  const plan = screen.getByRole('button', { name: 'Make a plan' });
  await vi.waitFor(() => expect(plan.hasAttribute('disabled')).toBe(false));
  await userEvent.click(plan);
  expect(await screen.findByText('2 changes. 4 entries stay the same.')).toBeTruthy();
  const label = within(screen.getByText('site').closest('li') as HTMLElement);
  expect(label.getByText('name from Site to Plant')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Apply' }));
  const sent = () => asked.find(({ path }) => path.endsWith('/apply'))?.body;
  await vi.waitFor(() =>
    expect(sent()).toEqual({ yaml: expect.stringContaining('labels: []'), prune: false }),
  );
});

test('a change of several things is undone as one', async () => {
  signInAs();
  const asked = network();
  await showScreen(<AsCodePage />);
  expect(await screen.findByText('Hall, Works and 1 more')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Undo the change of Hall, Works' }));
  await vi.waitFor(() => expect(asked.some(({ path }) => path.endsWith(`${CHANGE.id}/undo`))).toBe(true));
});
