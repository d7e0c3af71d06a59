import { notifications } from '@mantine/notifications';
import { ApiError } from './call.ts';

/** Tells that something worked. Notifications stand at the bottom for five seconds. */
export const notifyDone = (message: string): void => {
  notifications.show({ message });
};

/** Tells that something failed, with the server's words where there are any. */
export function notifyFailure(title: string, error: unknown): void {
  notifications.show({ title, message: messageOf(error), color: 'red' });
}

/** What a person may read about a failure. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof Error) return error.message;
  return String(error);
}
