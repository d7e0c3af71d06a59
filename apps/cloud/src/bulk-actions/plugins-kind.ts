import { AppError } from '../errors/app-error.ts';
import type { Plugins } from '../plugins/plugins.service.ts';
import type { BulkKind, BulkOn, Of } from './bulk-kind.ts';

type Work = Of<'plugins'>;

/** What it takes of plugins to do this. */
export type BulkPlugins = Pick<Plugins, 'get' | 'read' | 'install' | 'remove'>;

/** A plugin in one version on many devices, or on none of them. */
export function pluginsKind({ plugins }: { plugins: BulkPlugins }): BulkKind<Work> {
  /** Throws `plugin.not_found`, and `plugin.not_available` where the workgroup may not install it. */
  const wantedOf = async (workgroup: string, { plugin, version, isInstalled }: Work) => {
    const found = await plugins.get(workgroup, plugin, version ?? undefined);
    if (isInstalled && !found.isAvailable) throw new AppError('plugin.not_available', { name: found.title });
    return { title: found.title, version: isInstalled ? found.spec.version : null };
  };
  /** What the device has; null without it. One that came with the agent has no version of its own. */
  const hasOf = async ({ device, work }: BulkOn<Work>, signal: AbortSignal) => {
    const state = await plugins.read({ device, signal });
    return state.plugins.find(({ name }) => name === work.plugin) ?? null;
  };
  return {
    isOnDevice: true,
    canRepeat: true,
    about: async (workgroup, work) => {
      const { title, version } = await wantedOf(workgroup, work);
      return version === null ? title : `${title} ${version}`;
    },
    preview: async (on, signal) => {
      const { title, version } = await wantedOf(on.workgroup, on.work);
      const has = await hasOf(on, signal);
      const textOf = (of: string | null) => (of === null ? title : `${title} ${of}`);
      return {
        before: has ? textOf(has.version) : '',
        after: on.work.isInstalled ? textOf(version) : '',
      };
    },
    run: async (on, _id, signal) => {
      const { workgroup, device, by, work } = on;
      const { version } = await wantedOf(workgroup, work);
      const has = await hasOf(on, signal);
      const at = { workgroup, device, by, signal };
      if (version === null) {
        if (has) await plugins.remove(at, work.plugin);
      } else if (has?.version !== version) await plugins.install(at, work.plugin, version);
      return null;
    },
  };
}
