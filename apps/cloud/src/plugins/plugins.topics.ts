import { topic } from '../bus/topic.ts';

/**
 * Plugins, services or tasks of a device have changed. `action` is that of the audit log, `activity` names the service or task
 * if it is about one; `at` is epoch ms.
 */
export interface PluginChange {
  workgroup: string;
  device: string;
  plugin: string;
  action: string;
  activity: string | null;
  by: string;
  at: number;
}
export const pluginChanged = topic<PluginChange>('plugins:changed', { reach: 'process' });
