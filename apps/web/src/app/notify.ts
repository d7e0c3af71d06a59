import { notifications } from '@mantine/notifications';
import { messageOf } from '../ui/message-of.ts';
import { wantNotices } from './notices-wanted.ts';

/** Tells that something worked. Notifications stand at the bottom for five seconds. */
export const notifyDone = (message: string): void => {
  wantNotices();
  notifications.show({ message });
};

/** Tells that something failed, with the server's words where there are any. */
export function notifyFailure(title: string, error: unknown): void {
  wantNotices();
  notifications.show({ title, message: messageOf(error), color: 'red' });
}
