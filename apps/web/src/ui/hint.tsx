import { cloneElement, type PointerEvent, type ReactElement, useState } from 'react';
import type { HintBox } from './hint-box.tsx';
import { loadAhead } from './load-ahead.ts';

interface HintProps {
  label: string;
  position?: 'top' | 'right';
  disabled?: boolean;
  /** The target. It has the same words for screen readers already. */
  children: ReactElement<Handlers>;
}

interface Handlers {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
}

/**
 * A tooltip. Its code loads when the pointer first enters the target. If that fails there is no tooltip, and the next visit of
 * the pointer tries again.
 */
export function Hint({ label, position = 'top', disabled = false, children, ...others }: HintProps) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [isOver, setOver] = useState(false);
  const [Box, setBox] = useState<typeof HintBox | null>(null);
  return (
    <>
      {cloneElement(children, {
        ...others,
        onPointerEnter: (event) => {
          children.props.onPointerEnter?.(event);
          (others as Handlers).onPointerEnter?.(event);
          if (event.pointerType === 'touch') return;
          setTarget(event.currentTarget);
          setOver(true);
          if (Box) return;
          loadAhead(() => import('./hint-box.tsx')).then(
            (loaded) => setBox(() => loaded.HintBox),
            () => {},
          );
        },
        onPointerLeave: (event) => {
          children.props.onPointerLeave?.(event);
          (others as Handlers).onPointerLeave?.(event);
          setOver(false);
        },
      })}
      {Box && target && !disabled ? (
        <Box target={target} label={label} position={position} isOver={isOver} />
      ) : null}
    </>
  );
}
