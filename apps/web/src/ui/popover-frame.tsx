import { Popover, type PopoverProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Target, type TargetProps } from './target.tsx';

interface PopoverFrameProps extends Omit<PopoverProps, 'children'>, TargetProps {
  /** Name of what opens. */
  label: string;
  boxClass: string;
  children: ReactNode;
}

/** A popover for a button that is already on the page. */
export function PopoverFrame({
  button,
  target,
  onSays,
  label,
  boxClass,
  children,
  ...popover
}: PopoverFrameProps) {
  return (
    <Popover {...popover} withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Target button={button} target={target} onSays={onSays} />
      </Popover.Target>
      <Popover.Dropdown className={boxClass} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
