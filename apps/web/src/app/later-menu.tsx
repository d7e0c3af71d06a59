import type { MenuProps } from '@mantine/core';
import {
  type ComponentType,
  cloneElement,
  type FocusEvent,
  type MouseEvent,
  type ReactElement,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react';
import { loadAhead } from '../ui/load-ahead.ts';
import type { OfTarget } from '../ui/target.tsx';
import { loadAllTexts } from './i18n.ts';
import type { MenuFrame } from './menu-frame.tsx';

type Looks = Pick<
  MenuProps,
  | 'position'
  | 'width'
  | 'offset'
  | 'loop'
  | 'trigger'
  | 'openDelay'
  | 'closeDelay'
  | 'classNames'
  | 'alignItemsLabels'
  | 'returnFocus'
>;

interface LaterMenuProps<P extends object> extends Looks {
  /** Loads the lines of the menu; `of` are their props. */
  load: () => Promise<ComponentType<P>>;
  of: P;
  /** The button that opens it. */
  children: ReactElement<ButtonProps>;
}

interface ButtonProps {
  ref?: Ref<HTMLElement>;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  onMouseEnter?: (event: MouseEvent<HTMLElement>) => void;
  onMouseLeave?: (event: MouseEvent<HTMLElement>) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
}

/**
 * A menu that loads its code when somebody is about to open it; until then only its button is there. Clicks and hovers that
 * came meanwhile take effect once it is loaded.
 */
export function LaterMenu<P extends object>({ load, of, children: button, ...looks }: LaterMenuProps<P>) {
  const [parts, setParts] = useState<{ Frame: typeof MenuFrame; Lines: ComponentType<P> } | null>(null);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [says, setSays] = useState<Record<string, unknown>>(CLOSED);
  const target = useRef<OfTarget>({});
  const wish = useRef<'onClick' | 'onMouseEnter' | null>(null);
  useEffect(() => {
    if (parts && wish.current) target.current[wish.current]?.();
    wish.current = null;
  }, [parts]);
  // As for all code that is loaded on demand, the nearest error state shows the failure.
  if (failure) throw failure.error;

  async function get(): Promise<void> {
    if (parts) return;
    const all = () => Promise.all([import('./menu-frame.tsx'), load(), loadAllTexts()]);
    try {
      const [{ MenuFrame: Frame }, Lines] = await (wish.current === 'onClick' ? all() : loadAhead(all));
      setParts((before) => before ?? { Frame, Lines });
    } catch (error) {
      if (wish.current === 'onClick') setFailure({ error });
    }
  }
  function wishFor(what: 'onClick' | 'onMouseEnter'): void {
    if (parts) {
      target.current[what]?.();
      return;
    }
    wish.current = what;
    void get();
  }
  return (
    <>
      {cloneElement(button, {
        ...says,
        ref: setElement,
        onClick: (event) => {
          button.props.onClick?.(event);
          wishFor('onClick');
        },
        onMouseEnter: (event) => {
          button.props.onMouseEnter?.(event);
          if (wish.current !== 'onClick') wishFor('onMouseEnter');
        },
        onMouseLeave: (event) => {
          button.props.onMouseLeave?.(event);
          if (parts) target.current.onMouseLeave?.();
          else if (wish.current === 'onMouseEnter') wish.current = null;
        },
        onFocus: (event) => {
          button.props.onFocus?.(event);
          void get();
        },
      })}
      {parts && element ? (
        <parts.Frame {...looks} button={element} target={target} onSays={setSays}>
          <parts.Lines {...of} />
        </parts.Frame>
      ) : null}
    </>
  );
}

/** The ARIA attributes of the button while its menu is closed. */
const CLOSED = { 'aria-haspopup': 'menu', 'aria-expanded': false };
