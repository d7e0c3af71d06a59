import { useQuery } from '@tanstack/react-query';
import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../app/query-client.ts';
import { getSession, signOut, useWorkgroup } from '../../app/session.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { workgroupsQuery } from '../workgroups/workgroups.queries.ts';
import { WorkgroupSelector } from './workgroup-selector.tsx';
import { openWorkgroup, useFetchingWorkgroup } from './workgroup-switch.ts';

const scope = { role: 'admin', permissions: [], ps: '', devGroup: null, scopes: { device: [] } };
const names = ['demo', 'north', 'south', 'a', 'b', 'c', 'd', 'e', 'f'];
const workgroup = (name: string, settings = {}) => ({
  name,
  displayName: name === 'demo' ? 'Sunny plant' : `Plant ${name}`,
  theme: null,
  idpId: null,
  addons: [],
  settings,
});
const workgroups = names.map((name) => workgroup(name, name === 'north' ? { defaultPage: '/profile' } : {}));

/** Answers of the old workgroup's devices, and of whatever `isHeld` names besides, wait until `release`. */
let release = () => {};
let isHeld = (_url: string) => false;
let offered = workgroups;
beforeEach(() => {
  offered = workgroups;
  isHeld = () => false;
  signInAs({ scopes: Object.fromEntries(names.map((name) => [name, scope])) });
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  fakeNetwork(({ path }) => ({ body: path.endsWith('/orgs') ? offered : [] }));
  const answer = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.endsWith('/devices/demo') || isHeld(url)) await held;
    return answer(input, init);
  };
});

function Screen({ hidden = [] }: { hidden?: string[] }) {
  const current = useWorkgroup();
  const fetching = useFetchingWorkgroup();
  useQuery(workgroupsQuery);
  return (
    <>
      <WorkgroupSelector hidden={hidden} />
      <output>{fetching === null ? current : 'fetching'}</output>
    </>
  );
}

test('a switch throws the old workgroup out of the cache, remembers the choice and leads to its default page', async () => {
  const { router } = await showScreen(<Screen />, '/devices/1/general');
  await screen.findByRole('button', { name: /Sunny plant/ });
  queryClient.setQueryData(['devices', 'demo'], [{ id: '1' }]);
  await act(() => openWorkgroup(router, 'north'));
  expect(getSession()?.workgroup).toBe('north');
  expect(localStorage.getItem('albedo.workgroup')).toBe('north');
  expect(queryClient.getQueryData(['devices', 'demo'])).toBeUndefined();
  expect(router.latestLocation.pathname).toBe('/profile');
  expect(screen.getByRole('status').textContent).toBe('north');
});

test('an answer of the old workgroup that comes late finds nothing to go to', async () => {
  const { router } = await showScreen(<Screen />);
  const late = queryClient.fetchQuery({
    queryKey: ['devices', 'demo'],
    queryFn: async ({ signal }) => (await fetch('/api/v1/devices/demo', { signal })).json(),
  });
  const outcome = late.catch(() => 'dropped');
  await act(() => openWorkgroup(router, 'north'));
  release();
  await outcome;
  expect(queryClient.getQueryData(['devices', 'demo'])).toBeUndefined();
});

test('no screen is drawn until the new workgroup is there, and never for longer than three seconds', async () => {
  const { router } = await showScreen(<Screen />);
  await screen.findByRole('button', { name: /Sunny plant/ });
  isHeld = (url) => url.endsWith('/orgs');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const opened = openWorkgroup(router, 'north');
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('fetching'));
  await vi.advanceTimersByTimeAsync(2500);
  expect(screen.getByRole('status').textContent).toBe('fetching');
  await act(() => vi.advanceTimersByTimeAsync(600));
  await opened;
  vi.useRealTimers();
  expect(screen.getByRole('status').textContent).toBe('north');
  release();
});

test('a session that ends while a workgroup is being opened leaves nothing half open for the next one', async () => {
  const { router } = await showScreen(<Screen />);
  isHeld = (url) => url.endsWith('/orgs');
  const opened = openWorkgroup(router, 'north');
  await vi.waitFor(() => expect(getSession()?.workgroup).toBe('north'));
  cleanup();
  signOut('expired');
  release();
  await opened;
  signInAs();
  await showScreen(<Screen />);
  expect(screen.getByRole('status').textContent).toBe('demo');
});

test('the query of the analysis does not come along, another address does', async () => {
  const { router } = await showScreen(<Screen />);
  await act(() => openWorkgroup(router, 'north', '/analysis?series=1'));
  expect(router.latestLocation.href).toBe('/analysis');
  await act(() => openWorkgroup(router, 'south', '/devices?q=1'));
  expect(router.latestLocation.href).toBe('/devices?q=1');
});

test('a workgroup without a scope is never opened', async () => {
  const { router } = await showScreen(<Screen />, '/devices');
  await act(() => openWorkgroup(router, 'foreign'));
  expect(getSession()?.workgroup).toBe('demo');
  expect(router.latestLocation.pathname).toBe('/devices');
});

test('one workgroup is a plain name', async () => {
  offered = workgroups.slice(0, 1);
  await showScreen(<Screen />);
  await screen.findByText('Sunny plant');
  expect(screen.queryByRole('button')).toBeNull();
});

test('many are sorted and can be filtered, hidden ones are left out, and Enter takes the first', async () => {
  const user = userEvent.setup();
  signInAs({ scopes: Object.fromEntries([...names, 'g'].map((name) => [name, scope])) });
  offered = [...workgroups, workgroup('g')];
  await showScreen(<Screen hidden={['south']} />);
  await user.click(await screen.findByRole('button', { name: /Sunny plant/ }));
  const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
  expect(items).toEqual(items.toSorted());
  expect(items).not.toContain('Plant south');
  await user.type(screen.getByRole('textbox', { name: 'Filter workgroups' }), 'nor');
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Plant north']);
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('button', { name: /Plant north/ })).toBeTruthy();
});
