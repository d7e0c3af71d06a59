import type { PopoverProps } from '@mantine/core';
import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react';
import { loadAhead } from './load-ahead.ts';
import type { PopoverFrame } from './popover-frame.tsx';
import type { OfTarget } from './target.tsx';

interface LaterPopoverProps extends Pick<PopoverProps, 'position' | 'width'> {
  /** It opens and closes what is in `children`. */
  button: ReactElement<ButtonProps>;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  /** Name of what opens. */
  label: string;
  className: string | undefined;
  children: () => ReactNode;
}

interface ButtonProps {
  ref?: Ref<HTMLElement>;
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
}

/**
 * What a button opens beside it. Its code loads when the pointer or the focus first comes to the button, at the latest when it
 * is to open.
 */
export function LaterPopover(props: LaterPopoverProps) {
  const { button, isOpen, onChange, label, className = '', children, ...looks } = props;
  const [Frame, setFrame] = useState<typeof PopoverFrame | null>(null);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [says, setSays] = useState<Record<string, unknown>>(CLOSED);
  const target = useRef<OfTarget>({});
  const load = async () => setFrame(await loadFrame());
  useEffect(() => {
    if (isOpen && !Frame) load().catch((error: unknown) => setFailure({ error }));
  });
  // As for all code that is loaded on demand, the nearest error state shows the failure.
  if (failure) throw failure.error;
  const ahead = () => {
    if (!Frame) loadAhead(load).catch(() => {});
  };
  return (
    <>
      {cloneElement(button, {
        ...says,
        ref: setElement,
        onPointerEnter: (event) => {
          button.props.onPointerEnter?.(event);
          ahead();
        },
        onFocus: (event) => {
          button.props.onFocus?.(event);
          ahead();
        },
      })}
      {Frame && element ? (
        <Frame
          {...looks}
          button={element}
          target={target}
          onSays={setSays}
          opened={isOpen}
          onChange={onChange}
          label={label}
          boxClass={className}
        >
          {isOpen ? children() : null}
        </Frame>
      ) : null}
    </>
  );
}

/** The component as a value: a function that is given to a state would be called. */
const loadFrame = async () => {
  const { PopoverFrame: Frame } = await import('./popover-frame.tsx');
  return () => Frame;
};

/** The ARIA attributes of the button while nothing is open. */
const CLOSED = { 'aria-haspopup': 'dialog', 'aria-expanded': false };
