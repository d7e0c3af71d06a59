import type { Activity, OldActivity, TaskArguments } from '@albedo/contract/plugins/plugins.schema';
import { messageOf } from '../log.ts';
import { filledTask, type Kept, keptOfTask } from '../plugins/kept-secrets.ts';
import { ServiceError, type Services } from '../services/services.ts';
import { isSame, type Tasks } from './tasks.ts';

/**
 * Saves what a plugin does again and again. What it takes the place of, be it a task, a service or one of another name or
 * frequency, goes in the same step: cut off anywhere, the device has the old one or the new one. Throws `ServiceError`.
 */
export async function putActivity(
  services: Services,
  tasks: Tasks,
  { plugin, activity, replaces }: { plugin: string; activity: Activity; replaces: OldActivity | null },
): Promise<void> {
  if (replaces) demandPresent(services, tasks, plugin, replaces);
  demandFree(services, tasks, activity, replaces);
  const kept = keptBefore(services, tasks, plugin, replaces ?? activity);
  const files =
    activity.type === 'task'
      ? tasks.written(plugin, { ...activity, arguments: filled(activity.arguments, kept) })
      : services.written({ ...activity, plugin, text: services.filled(plugin, activity.file, kept) });
  const before = replaces ? pathsOf(services, tasks, replaces) : [];
  const remove = [...before, ...pathsOf(services, tasks, activity)];
  const ended = [replaces, activity].flatMap((one) => (one?.type === 'service' ? [one.name] : []));
  const started = activity.type === 'service' && !activity.isDisabled ? activity.name : null;
  await services.change({ files, remove }, { ended: [...new Set(ended)], started });
}

/** The passwords of the activity that is there; none where there is none. */
function keptBefore(services: Services, tasks: Tasks, plugin: string, old: OldActivity): Kept {
  if (old.type === 'service') return services.has(old.name) ? services.keptOf(plugin, old.name) : NOTHING;
  const task = tasks.files().find((one) => one.plugin === plugin && isSame({ ...one, type: 'task' }, old));
  return task?.arguments ? keptOfTask(task.arguments) : NOTHING;
}

const NOTHING: Kept = () => undefined;

function filled(given: TaskArguments, kept: Kept): TaskArguments {
  try {
    return filledTask(given, kept);
  } catch (error) {
    throw new ServiceError(messageOf(error));
  }
}

const pathsOf = (services: Services, tasks: Tasks, one: OldActivity): string[] =>
  one.type === 'task' ? tasks.pathsOf(one) : services.pathsOf(one.name);

function demandPresent(services: Services, tasks: Tasks, plugin: string, old: OldActivity): void {
  if (old.type === 'task') tasks.find({ ...old, plugin });
  else if (!services.has(old.name)) throw new ServiceError(`there is no service ${old.name}`, 'find');
}

/** The files of its arguments are named after an activity, so no two have one name. */
function demandFree(services: Services, tasks: Tasks, wanted: Activity, replaces: OldActivity | null): void {
  const others: OldActivity[] = tasks
    .files()
    .filter(({ name }) => name === wanted.name)
    .map(({ name, frequency }) => ({ type: 'task', name, frequency }));
  if (services.has(wanted.name)) others.push({ type: 'service', name: wanted.name });
  const taken = others.find((one) => !isSame(one, wanted) && !(replaces && isSame(one, replaces)));
  if (taken) throw new ServiceError(`there is a ${taken.type} ${taken.name} already`);
}
