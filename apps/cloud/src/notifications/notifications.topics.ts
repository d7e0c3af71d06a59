import { topic } from '../bus/topic.ts';

/** A message about an incident was taken, or was not; `error` is null where it was. `channel` is what people know it by. */
export interface Delivered {
  workgroup: string;
  incident: string;
  channel: string;
  ok: boolean;
  error: string | null;
}
export const notificationsDelivered = topic<Delivered>('notifications:delivered', { reach: 'process' });
