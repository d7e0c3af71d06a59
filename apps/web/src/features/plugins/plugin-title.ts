import type { PluginDetail } from '@albedo/contract/plugins/plugins.schema';

/** What a plugin is called; one that is not offered has its name alone. */
export const titleIn = (offered: readonly PluginDetail[], plugin: string): string =>
  offered.find(({ name }) => name === plugin)?.title ?? plugin;
