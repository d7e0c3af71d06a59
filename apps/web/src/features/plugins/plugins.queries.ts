import { pluginsApi } from '@albedo/contract/plugins/plugins.api';
import type {
  Activity,
  OldActivity,
  PluginService,
  PluginState,
  PluginTask,
} from '@albedo/contract/plugins/plugins.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { messageOf } from '../../ui/message-of.ts';

export interface OnPlugin {
  wg: string;
  device: string;
  plugin: string;
}

/** What the publisher offers, each with its spec and whether the workgroup may have it. */
export const offeredQuery = (wg: string) =>
  queryOptions({
    queryKey: ['plugins', wg],
    queryFn: async ({ signal }) => {
      const all = await call(pluginsApi.list, {}, signal);
      return Promise.all(all.map(({ name }) => call(pluginsApi.get, { params: { wg, name } }, signal)));
    },
    staleTime: 60_000,
  });

/** What the device says that it has. */
export const stateQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: ['device-plugins', wg, device],
    queryFn: ({ signal }): Promise<PluginState> =>
      call(pluginsApi.update, { params: { wg, device } }, signal),
    retry: false,
  });

/** What a device last told, for one that is away. */
export const lastToldQuery = (wg: string) =>
  queryOptions({
    queryKey: ['installed-plugins', wg],
    queryFn: ({ signal }) => call(pluginsApi.installed, { params: { wg } }, signal),
  });

export const logsQuery = ({ wg, device }: OnDevice, one: PresentActivity) =>
  queryOptions({
    queryKey: ['plugin-logs', wg, device, activityId(one)],
    queryFn: ({ signal }) => {
      const params = { wg, device, plugin: one.plugin, name: one.name };
      return one.type === 'service'
        ? call(pluginsApi.logs, { params }, signal)
        : call(pluginsApi.taskLogs, { params, query: { frequency: one.frequency } }, signal);
    },
    refetchInterval: 3000,
    retry: false,
  });

/** Every change answers what there is then. */
async function took({ wg, device }: OnPlugin, change: Promise<PluginState>): Promise<void> {
  try {
    queryClient.setQueryData(stateQuery(wg, device).queryKey, await change);
  } catch (error) {
    // A change that failed may have gone half of its way.
    void queryClient.invalidateQueries({ queryKey: stateQuery(wg, device).queryKey });
    throw error;
  } finally {
    void queryClient.invalidateQueries({ queryKey: lastToldQuery(wg).queryKey });
  }
}

/** A package takes as long as the device's line needs. */
const UNHURRIED = { timeout: false } as const;
/** Source: specification 2, section 7: retry 1, no timeout. */
const REMOVING = { timeout: false, retry: { limit: 1, backoffLimit: 3000 } } as const;

export const installPlugin = (on: OnPlugin, version: string) =>
  took(on, call(pluginsApi.install, { params: { ...on }, body: { version } }, undefined, UNHURRIED));

/** Starts those services of a plugin that do not run. */
export const startServices = (on: OnPlugin) =>
  took(on, call(pluginsApi.startServices, { params: { ...on }, body: {} }, undefined, UNHURRIED));

/** The serial lines of a device; asked each time, since plugs are moved. */
export const serialQuery = ({ wg, device }: OnDevice) =>
  queryOptions({
    queryKey: ['serial-lines', wg, device],
    queryFn: ({ signal }) => call(pluginsApi.serialLines, { params: { wg, device } }, signal, ASKED),
    retry: false,
    staleTime: 10_000,
  });
/** A device that lacks the tool is sent it first. */
const ASKED = { timeout: 60_000 };

export const removePlugin = (on: OnPlugin) =>
  took(on, call(pluginsApi.remove, { params: { ...on } }, undefined, REMOVING));

/** What a plugin does again and again on the device. */
export type PresentActivity = (PluginService & { type: 'service' }) | (PluginTask & { type: 'task' });

export const activitiesOf = ({ services, tasks }: PluginState): PresentActivity[] =>
  [
    ...services.map((one) => ({ ...one, type: 'service' as const })),
    ...tasks.map((one) => ({ ...one, type: 'task' as const })),
  ].toSorted((a, b) => a.name.localeCompare(b.name));

export const activityId = (one: OldActivity): string =>
  one.type === 'task' ? `task ${one.frequency} ${one.name}` : `service ${one.name}`;

type OnDevice = Omit<OnPlugin, 'plugin'>;
/** What is under way or went wrong with the activities of a device, while this page is open. */
type Marks = Readonly<Record<string, 'working' | { failure: string }>>;

export const marksQuery = ({ wg, device }: OnDevice) =>
  queryOptions({
    queryKey: ['activity-marks', wg, device],
    queryFn: (): Marks => ({}),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The activity is marked while it is being saved, and afterwards where that failed. */
async function marked(on: OnDevice, one: OldActivity, work: Promise<void>): Promise<void> {
  const { queryKey } = marksQuery(on);
  const mark = (as: Marks[string] | null) =>
    queryClient.setQueryData(queryKey, (marks: Marks = {}) => {
      const { [activityId(one)]: _before, ...others } = marks;
      return as === null ? others : { ...others, [activityId(one)]: as };
    });
  mark('working');
  try {
    await work;
    mark(null);
  } catch (error) {
    mark({ failure: messageOf(error) });
    throw error;
  }
}

/** How an activity is named, without what it is. */
const nameOf = (one: OldActivity): OldActivity =>
  one.type === 'task'
    ? { type: one.type, name: one.name, frequency: one.frequency }
    : { type: one.type, name: one.name };

/** Saves an activity. What it takes the place of goes in the same step on the device. */
export function saveActivity(on: OnPlugin, activity: Activity, before: OldActivity | null): Promise<void> {
  const isOther = before !== null && activityId(before) !== activityId(activity);
  const params = { ...on, name: activity.name };
  const replaces = isOther ? { replaces: nameOf(before) } : {};
  const { isDisabled, files } = activity;
  const saved =
    activity.type === 'service'
      ? call(pluginsApi.putService, {
          params,
          body: { serviceFile: activity.file, isDisabled, files, ...replaces },
        })
      : call(pluginsApi.putTask, {
          params,
          body: {
            frequency: activity.frequency,
            arguments: activity.arguments,
            isDisabled,
            files,
            ...replaces,
          },
        });
  return marked(on, before ?? activity, took(on, saved));
}

/** Puts an activity aside, or takes it up again. */
export function switchActivity(on: OnDevice, one: PresentActivity): Promise<void> {
  const at = { ...on, plugin: one.plugin };
  const isDisabled = !one.isDisabled;
  if (one.type === 'service') return saveActivity(at, { ...one, isDisabled }, one);
  const body = { frequency: one.frequency, isDisabled };
  const switched = call(pluginsApi.switchTask, { params: { ...at, name: one.name }, body });
  return marked(on, one, took(at, switched));
}

export function removeActivity(on: OnDevice, one: PresentActivity): Promise<void> {
  const at = { ...on, plugin: one.plugin };
  const params = { ...at, name: one.name };
  if (one.type === 'service') return took(at, call(pluginsApi.removeService, { params }));
  return took(at, call(pluginsApi.removeTask, { params, query: { frequency: one.frequency } }));
}
