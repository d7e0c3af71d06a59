import type { ErrorName } from '@albedo/contract/failures/errors';
import type { InstallStep, PluginStep } from '@albedo/contract/plugins/plugins.schema';
import { AppError } from '../errors/app-error.ts';

/** What ardpkg says when it ends without a word. */
const UNKNOWN = 'Unknown error';

/** Sentences for what a device was at. Source: specification 2, section 8. */
const AT_STEP: Readonly<Record<Exclude<PluginStep, 'ardpkg' | 'tool'>, ErrorName>> = {
  temporary: 'plugin.temporary_failed',
  list: 'plugin.activities_unread',
  find: 'plugin.activity_not_found',
  activate: 'plugin.service_invalid',
  restart: 'plugin.service_restart_failed',
  start: 'plugin.service_start_failed',
  stop: 'plugin.service_stop_failed',
  remove: 'plugin.service_remove_failed',
};

/** Rethrows what a device says that it could not do: as the step that it names, else as `code`, else as it is. */
export const as =
  (code: ErrorName | null = null) =>
  (error: unknown): never => {
    throw failureOf(error, code);
  };

/** What a device says that it could not do, in the words of the step of an installation that it was at. */
export function installFailure(at: InstallStep, error: unknown, isUpgrade: boolean): unknown {
  const { why, step } = told(error);
  if (why === undefined || step === 'temporary' || step === 'list') return failureOf(error, null);
  if (at === 'stopping') return new AppError('plugin.stop_failed', { why });
  if (at === 'starting') return new AppError('plugin.start_failed', { why });
  if (at !== 'installing') return error;
  if (step === 'ardpkg' && why === UNKNOWN) return new AppError('plugin.ardpkg_unknown');
  return new AppError(isUpgrade ? 'plugin.install_failed' : 'plugin.ardpkg_failed', { why });
}

/** Whether a device lacks the tool that it was to use. */
export const lacksTool = (error: unknown): boolean => told(error).step === 'tool';

function failureOf(error: unknown, code: ErrorName | null): unknown {
  const { why, step } = told(error);
  const name =
    (step !== undefined && Object.hasOwn(AT_STEP, step) && AT_STEP[step as keyof typeof AT_STEP]) || code;
  return why === undefined || name === null ? error : new AppError(name, { why });
}

function told(error: unknown): { why: string | undefined; step: string | undefined } {
  const { why, step } = error instanceof AppError ? error.facts : {};
  return {
    why: typeof why === 'string' ? why : undefined,
    step: typeof step === 'string' ? step : undefined,
  };
}
