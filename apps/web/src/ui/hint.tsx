import { cloneElement, lazy, type PointerEvent, type ReactElement, Suspense, useState } from 'react';

const HintBox = lazy(async () => ({ default: (await import('./hint-box.tsx')).HintBox }));

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

/** Words beside what the pointer rests on. Their code comes with the first pointer: nothing is drawn with it before. */
export function Hint({ label, position = 'top', disabled = false, children, ...others }: HintProps) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [isOver, setOver] = useState(false);
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
        },
        onPointerLeave: (event) => {
          children.props.onPointerLeave?.(event);
          (others as Handlers).onPointerLeave?.(event);
          setOver(false);
        },
      })}
      {target && !disabled ? (
        <Suspense>
          <HintBox target={target} label={label} position={position} isOver={isOver} />
        </Suspense>
      ) : null}
    </>
  );
}
