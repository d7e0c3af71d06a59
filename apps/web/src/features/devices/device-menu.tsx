import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { Suspense, useCallback, useRef, useState } from 'react';
import { later } from '../../app/later.ts';
import classes from '../../ui/row-menu.module.css';
import type { DeviceAction } from './device-action.ts';

const OpenMenu = later(async () => (await import('./open-device-menu.tsx')).OpenDeviceMenu);

interface DeviceMenuProps {
  device: DeviceSummary;
  /** Name of the button. */
  label: string;
  onAction: (action: DeviceAction, device: DeviceSummary) => void;
}

/**
 * What can be done with a device of the list. Until it is pressed it is one plain button: thousands of menus would
 * make the list heavy.
 */
export function DeviceMenu({ device, label, onAction }: DeviceMenuProps) {
  const [isOpen, setOpen] = useState(false);
  // The plain button is another one than the one with a menu: what closes without an action gives the focus to it.
  const isClosing = useRef(false);
  const takeButton = useCallback((element: HTMLButtonElement | null) => {
    if (element && isClosing.current) element.focus({ preventScroll: true });
    isClosing.current = false;
  }, []);
  const close = () => {
    isClosing.current = true;
    setOpen(false);
  };
  const button = (
    <button
      type="button"
      className={classes.more}
      tabIndex={-1}
      aria-label={label}
      aria-haspopup="menu"
      {...(isOpen ? {} : { ref: takeButton })}
      onClick={() => setOpen(true)}
    >
      ···
    </button>
  );
  if (!isOpen) return button;
  return (
    <Suspense fallback={button}>
      <OpenMenu button={button} device={device} onAction={onAction} onClose={close} />
    </Suspense>
  );
}
