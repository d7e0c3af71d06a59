import { Popover } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './bar-popover.module.css';

interface BarPopoverProps {
  icon: ReactNode;
  /** Name of the button, with what the number says. */
  label: string;
  /** Name of what opens. */
  title: string;
  /** Stands at the button; nothing for 0. */
  count: number;
  className: string | undefined;
  children: (close: () => void) => ReactNode;
}

/** A button in the top bar with a number at its corner, and what it opens. */
export function BarPopover({ icon, label, title, count, className, children }: BarPopoverProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width="min(380px, calc(100vw - 16px))"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.button}
          aria-haspopup="dialog"
          aria-label={label}
          onClick={() => setOpen(!isOpen)}
        >
          {icon}
          {count > 0 ? (
            <span className={classes.count} aria-hidden="true">
              {count > 9 ? '9+' : count}
            </span>
          ) : null}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={className ?? ''} aria-label={title}>
        {children(() => setOpen(false))}
      </Popover.Dropdown>
    </Popover>
  );
}
