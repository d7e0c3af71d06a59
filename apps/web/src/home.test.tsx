import { MantineProvider } from '@mantine/core';
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { openInside } from './app/inside.ts';
import { getSession } from './app/session.ts';
import { buildToken, fakeNetwork, signInAs } from './app/test-screen.tsx';
import { cssVariables, theme } from './app/theme.ts';
import { router as app } from './router.tsx';

await openInside();

const scope = { role: 'owner', permissions: [], ps: '', devGroup: null, scopes: { device: [] } };
const workgroup = { name: 'demo', displayName: 'Demo', theme: null, idpId: null, addons: [] };
let settings: Record<string, unknown> = {};
let orgs: number | null = null;

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  settings = {};
  orgs = null;
  fakeNetwork(({ path }) => {
    if (path.endsWith('/auth/local')) return { body: { token: buildToken({ scopes: { demo: scope } }) } };
    if (!path.endsWith('/orgs')) return { body: path.endsWith('/settings') ? {} : [] };
    return orgs === null
      ? { body: [{ ...workgroup, settings }] }
      : { status: orgs, body: { code: orgs, message: 'The workgroups are away' } };
  });
});

async function open(address: string) {
  const { routeTree } = app;
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree, history });
  await router.load();
  render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <RouterProvider router={router as never} />
    </MantineProvider>,
  );
  await screen.findByLabelText('Password');
}

function signInByHand() {
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'right' } });
  for (const field of screen.getAllByLabelText('Email').slice(0, 1))
    fireEvent.change(field, { target: { value: 'zoe@example.org' } });
  fireEvent.click(screen.getAllByRole('button', { name: 'Continue' })[0] as HTMLElement);
}

test('the card stays until it leads on, also while the second factor is being set up', async () => {
  await open('/');
  act(() => void signInAs());
  expect(screen.getByLabelText('Password')).toBeTruthy();
});

test('people whose default page is the start find the announcements there after signing in', async () => {
  settings = { defaultPage: '/' };
  await open('/');
  signInByHand();
  expect(await screen.findByRole('heading', { name: 'Announcements', level: 1 })).toBeTruthy();
  expect(screen.queryByLabelText('Password')).toBeNull();
});

test.each(['/login', '/'])('a server that fails after the sign-in at %s is reported', async (address) => {
  orgs = 501;
  await open(address);
  signInByHand();
  expect(await screen.findByText('The workgroups are away')).toBeTruthy();
  expect(getSession()).not.toBeNull();
});
