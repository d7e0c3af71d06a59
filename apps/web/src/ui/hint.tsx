import { cloneElement, type PointerEvent, type ReactElement, useState } from 'react';
import type { HintBox } from './hint-box.tsx';
import { loadAhead } from './load-ahead.ts';

interface HintProps {
  label: string;
  position?: 'top' | 'right';
  disabled?: boolean;
  /** What it is about has the same words for screen readers. */
  children: ReactElement<Handlers>;
}

interface Handlers {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
}

/**
 * Words beside what the pointer rests on. Their code comes with the first pointer: nothing is drawn with it before. Where it
 * cannot be loaded there are no words, and the next pointer asks again.
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
