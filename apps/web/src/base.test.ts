import { can, member, staff } from '@albedo/contract/access/access';
import type { Screen } from '@albedo/contract/access/screens';
import { expect, test } from 'vitest';
import { shell } from './app/base.ts';
import { openInside } from './app/inside.ts';
import { queryClient } from './app/query-client.ts';
import { signOut, takeWorkgroups } from './app/session.ts';
import { fakeNetwork, signInAs } from './app/test-screen.tsx';

// The router says where the features come from.
await import('./router.tsx');
await openInside();

const scope = { role: 'power', permissions: [], ps: 'rd', devGroup: null, scopes: { device: [] } };
const addon = (id: string) => ({ id, name: id, description: '', settings: {} });
const demo = (addons: string[] = []) => ({
  name: 'demo',
  displayName: 'Demo',
  theme: null,
  idpId: null,
  addons: addons.map(addon),
  settings: {},
});

/** Where a screen behind the sign-in leads instead of being opened; null where it is opened. */
async function ledAway(access: Screen, href = '/reports?from=now-1h') {
  const { beforeLoad } = shell.options;
  const opened = beforeLoad?.({
    location: { href, pathname: '/reports' },
    matches: [{}, { staticData: { access } }],
  } as never);
  const { options } = await Promise.resolve(opened).then(
    () => ({ options: null }),
    (redirect) => redirect as { options: { to: string; search: unknown; state?: unknown } },
  );
  return options && { to: options.to, search: options.search, missing: options.state };
}

function signInto(addons: string[] = []) {
  signInAs({ scopes: { demo: scope } });
  takeWorkgroups([demo(addons)] as never);
}

test('a visitor without a session is sent to the sign-in, and from there to the address they asked for', async () => {
  signOut('asked');
  expect(await ledAway(member)).toMatchObject({ to: '/login', search: { redirect: '/reports?from=now-1h' } });
});

test('a refused visitor lands on the page that says what is missing, in its address and beyond', async () => {
  signInto();
  expect(await ledAway(member)).toBeNull();
  expect(await ledAway({ ...member, addon: 'machines' })).toMatchObject({
    to: '/access-denied',
    search: { required: 'addons', addon: 'machines' },
  });
  expect(await ledAway(can('audit'))).toMatchObject({
    to: '/access-denied',
    search: { required: 'permission' },
    missing: { missing: { permissions: ['audit'] } },
  });
  expect(await ledAway(staff)).toMatchObject({ to: '/access-denied', search: {} });
});

test('the rules are asked of the server last, and only where the workgroup has them', async () => {
  const screen: Screen = { ...can('read'), rule: { resource: 'Dashboard', action: 'create', on: 'all' } };
  let all = ['view'];
  const asked = fakeNetwork(() => ({
    body: { isOn: true, resources: { DeviceCommand: {}, Dashboard: { all }, Entity: {} } },
  }));
  signInto();
  expect(await ledAway(screen)).toBeNull();
  expect(asked).toEqual([]);

  signInto(['access-control']);
  expect(await ledAway({ ...screen, ...can('audit') })).toMatchObject({
    search: { required: 'permission' },
  });
  expect(await ledAway(member)).toBeNull();
  expect(asked).toEqual([]);
  expect(await ledAway(screen)).toMatchObject({
    to: '/access-denied',
    search: { required: 'access-control', label: 'Create Dashboard' },
  });
  signOut('asked');
  queryClient.clear();
  all = ['view', 'create'];
  signInto(['access-control']);
  expect(await ledAway(screen)).toBeNull();
});
