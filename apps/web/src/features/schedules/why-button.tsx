import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

interface WhyButtonProps extends ButtonProps {
  /** Why it cannot be pressed now; null where it can. */
  why: string | null;
  type?: 'submit' | 'button';
  onClick?: () => void;
  children: ReactNode;
}

/** A button that says why it is off, to the pointer, the keyboard and the thumb. */
export function WhyButton({ why, onClick, type = 'button', children, ...look }: WhyButtonProps) {
  if (why === null)
    return (
      <Button {...look} type={type} onClick={onClick}>
        {children}
      </Button>
    );
  return (
    <Tooltip label={why} multiline maw={300} events={{ hover: true, focus: true, touch: true }}>
      <Button {...look} type="button" aria-disabled data-disabled>
        {children}
      </Button>
    </Tooltip>
  );
}
