import { type ReactNode, useState } from 'react';
import classes from './bar-popover.module.css';
import { LaterPopover } from './later-popover.tsx';

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
    <LaterPopover
      isOpen={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width="min(380px, calc(100vw - 16px))"
      label={title}
      className={className}
      button={
        <button type="button" className={classes.button} aria-label={label} onClick={() => setOpen(!isOpen)}>
          {icon}
          {count > 0 ? (
            <span className={classes.count} aria-hidden="true">
              {count > 9 ? '9+' : count}
            </span>
          ) : null}
        </button>
      }
    >
      {() => children(() => setOpen(false))}
    </LaterPopover>
  );
}
