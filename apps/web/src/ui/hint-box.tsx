import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';

/** How long the pointer rests before the hint opens, ms. */
const REST_MS = 300;

interface HintBoxProps {
  target: HTMLElement;
  label: string;
  position: 'top' | 'right';
  /** The pointer is on the target. */
  isOver: boolean;
}

/** The words of a `Hint`. */
export function HintBox({ isOver, ...props }: HintBoxProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOver) return setOpen(false);
    const timer = setTimeout(() => setOpen(true), REST_MS);
    return () => clearTimeout(timer);
  }, [isOver]);
  return <Tooltip {...props} opened={isOpen} multiline maw={280} />;
}
