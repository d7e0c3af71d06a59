import type { BulkWork } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import type { DeviceFacts } from '@albedo/contract/devices/devices.schema';
import { AppError } from '../errors/app-error.ts';
import type { Run } from '../jobs/job.ts';
import type { BulkActionsStore } from './bulk-actions.store.ts';
import type { BulkKind } from './bulk-kind.ts';

/** A turn is tried so often again when a device that is there did not get to answer. */
export const TURN_RETRIES = 2;

/** What devices say that went in the middle, or came just now and do not listen yet; another time they may well do it. */
const PASSING = new Set([
  'device.lost',
  'device.no_answer',
  'device.agent_old',
  'device.busy',
  'device.certificate_not_taken',
]);

export type Turn = { action: string; device: string; key: string };

export interface TurnOptions {
  store: BulkActionsStore;
  factsOf: (device: string) => DeviceFacts;
  kindOf: (work: BulkWork) => BulkKind;
}

/**
 * The turn of one device. What may be repeated and was lost in the middle is not over: a device that went is waited for as
 * the others are, and one that is there is asked again, which is what the error is thrown for.
 */
export async function takeTurn(
  { store, factsOf, kindOf }: TurnOptions,
  { payload: { action: id, device }, attempt, signal }: Run<Turn>,
): Promise<void> {
  const [action, target] = await Promise.all([store.find(id), store.target(id, device)]);
  if (!action || target?.state !== 'working') return;
  if (attempt > 1 && action.state === 'cancelled') {
    await store.setTarget(id, device, { state: 'cancelled', endedAt: new Date() });
    return;
  }
  const kind = kindOf(action.work);
  const by = { userId: action.byUser, email: action.byEmail, address: action.byAddress };
  const { workgroup, work } = action;
  try {
    if (attempt > 1 && !kind.canRepeat) throw new AppError('bulk_action.cut_off');
    const message = await kind.run({ workgroup, device, work, by }, target.orderId, signal);
    await store.setTarget(id, device, { state: 'done', message, endedAt: new Date() });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    const isPassing = kind.canRepeat && PASSING.has(error.error);
    if (error.error === 'device.offline' || (isPassing && !factsOf(device).online)) {
      await store.release(id, device);
    } else if (isPassing && attempt <= TURN_RETRIES) throw error;
    else await store.setTarget(id, device, { state: 'failed', message: error.message, endedAt: new Date() });
  }
}
