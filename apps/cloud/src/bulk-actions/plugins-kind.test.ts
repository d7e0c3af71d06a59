import type { PluginDetail, PluginState } from '@albedo/contract/plugins/plugins.schema';
import { expect, test } from 'vitest';
import { pluginsKind } from './plugins-kind.ts';

const done: string[] = [];
let isAvailable = true;
let installed: { name: string; version: string | null }[] = [];
const kind = pluginsKind({
  plugins: {
    get: async (_workgroup, name, version = '1.1.0') =>
      ({ name, title: 'SunSpec', isAvailable, spec: { version } }) as PluginDetail,
    read: async () => ({ plugins: installed, services: [], root: '', os: null }) as never,
    install: async (_on, name, version) => {
      done.push(`install ${name} ${version}`);
      return {} as PluginState;
    },
    remove: async (_on, name) => {
      done.push(`remove ${name}`);
      return {} as PluginState;
    },
  },
});
const on = (rest: object = {}) => ({
  workgroup: 'main',
  device: 'a',
  by: { userId: 'a', email: 'a@example.org', address: '::1' },
  work: { kind: 'plugins' as const, plugin: 'sunspec', version: null, isInstalled: true, ...rest },
});
const { signal } = new AbortController();

test('the preview says which version takes the place of which, and what is the same stays untouched', async () => {
  installed = [{ name: 'sunspec', version: '1.0.0' }];
  expect(await kind.preview(on(), signal)).toEqual({ before: 'SunSpec 1.0.0', after: 'SunSpec 1.1.0' });
  await kind.run(on(), 'id', signal);
  installed = [{ name: 'sunspec', version: '1.1.0' }];
  expect(await kind.preview(on(), signal)).toEqual({ before: 'SunSpec 1.1.0', after: 'SunSpec 1.1.0' });
  await kind.run(on(), 'id', signal);
  await kind.run(on({ version: '1.0.0' }), 'id', signal);
  expect(done.splice(0)).toEqual(['install sunspec 1.1.0', 'install sunspec 1.0.0']);
});

test('what a device lacks is not removed, and what the workgroup may not have is not installed', async () => {
  installed = [{ name: 'sunspec', version: null }];
  expect(await kind.preview(on({ isInstalled: false }), signal)).toEqual({ before: 'SunSpec', after: '' });
  await kind.run(on({ isInstalled: false }), 'id', signal);
  installed = [];
  await kind.run(on({ isInstalled: false }), 'id', signal);
  expect(done.splice(0)).toEqual(['remove sunspec']);
  isAvailable = false;
  await expect(kind.about('main', on().work)).rejects.toMatchObject({ error: 'plugin.not_available' });
  // It may always go.
  expect(await kind.about('main', on({ isInstalled: false }).work)).toBe('SunSpec');
});
