import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** Longer than others: somebody has to read it and press. */
const STAY_MS = 10_000;

/** Tells something that can be looked at. The notices stand outside of the router, so that the caller opens it. */
export function notifyWithLink(message: string, link: { text: string; open: () => void } | null): void {
  const id = notifications.show({
    color: 'red',
    autoClose: STAY_MS,
    message: (
      <>
        {message}{' '}
        {link ? (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              notifications.hide(id);
              link.open();
            }}
          >
            {link.text}
          </Button>
        ) : null}
      </>
    ),
  });
}
