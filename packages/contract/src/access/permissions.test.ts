import { expect, test } from 'vitest';
import { holds, mayRunCommands, PERMISSION_CODES, type Permission, type Role } from './permissions.ts';

const nobody = { role: 'readonly' as Role, permissions: [], ps: '', devGroup: null, scopes: { device: [] } };

test.each([
  ['read', 'rd'],
  ['dashboardOnly', 'do'],
  ['audit', 'au'],
  ['coordinate', 'co'],
  ['manageDevices', 'md'],
  ['controlDevices', 'cd'],
  ['discovery', 'dy'],
  ['tunnel', 'tl'],
  ['manageAccess', 'ma'],
  ['wgMembers', 'wm'],
] as [Permission, string][])(
  '%s is held by its name, by its short code %s, and by every owner',
  (name, code) => {
    expect(PERMISSION_CODES[name]).toBe(code);
    expect(holds(nobody, name)).toBe(false);
    expect(holds({ ...nobody, permissions: [name] }, name)).toBe(true);
    expect(holds({ ...nobody, ps: `xx ${code}` }, name)).toBe(true);
    expect(holds({ ...nobody, ps: `x${code}x` }, name)).toBe(false);
    expect(holds({ ...nobody, role: 'owner' }, name)).toBe(true);
  },
);

test('remote commands are for owner, admin and power, and for whoever has the device scope rpc', () => {
  for (const role of ['owner', 'admin', 'power'] as const)
    expect(mayRunCommands({ ...nobody, role })).toBe(true);
  expect(mayRunCommands(nobody)).toBe(false);
  expect(mayRunCommands({ ...nobody, scopes: { device: ['rpc'] } })).toBe(true);
  expect(mayRunCommands({ ...nobody, ps: 'rpc', scopes: { device: ['other'] } })).toBe(false);
});
