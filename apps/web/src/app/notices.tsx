// The pages that anybody can open have the styles of a few pieces only.
import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** How long a notification stays. Source: specification 1, section 9. */
const STAY_MS = 5000;

export function Notices() {
  return <Notifications position="bottom-center" autoClose={STAY_MS} />;
}
