import { settingsApi } from '@albedo/contract/settings/settings.api';
import type { SettingKey, UserSettings } from '@albedo/contract/settings/settings.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { applySettings } from '../../app/preferences.ts';
import { queryClient } from '../../app/query-client.ts';

/** How the signed-in user wants the app; what is not set is absent. Each answer is applied at once. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => {
    const settings = await call(settingsApi.list, {}, signal);
    await applySettings(settings);
    return settings;
  },
});

const NOTHING: UserSettings = {};

/** The settings, empty until the server sent them. */
export const useSettings = (): UserSettings => useQuery(settingsQuery).data ?? NOTHING;

/** Brings the settings in before the first screen; without an answer it is shown as the browser remembers. */
export async function loadSettings(): Promise<void> {
  await queryClient.prefetchQuery(settingsQuery);
}

/**
 * Applies a setting at once and keeps it on the server; undefined takes it away.
 *
 * Errors: as the call; the setting is what it was before then.
 */
export async function saveSetting<K extends SettingKey>(
  key: K,
  value: UserSettings[K] | undefined,
): Promise<void> {
  await queryClient.cancelQueries(settingsQuery);
  const before = queryClient.getQueryData(settingsQuery.queryKey) ?? {};
  try {
    await show({ ...before, [key]: value });
    await call(settingsApi.set, { params: { key }, body: { value: value ?? null } });
  } catch (error) {
    const now = queryClient.getQueryData(settingsQuery.queryKey) ?? {};
    await show({ ...now, [key]: before[key] });
    throw error;
  }
}

async function show(settings: UserSettings): Promise<void> {
  queryClient.setQueryData(settingsQuery.queryKey, settings);
  await applySettings(settings);
}
