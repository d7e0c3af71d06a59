import { Menu, type MenuProps } from '@mantine/core';
import { type ReactNode, type Ref, type RefObject, useLayoutEffect, useState } from 'react';

/** How the menu reacts to events of its button. */
export interface OfTarget {
  onClick?: () => void;
  onMouseEnter?: () => void;
  onMouseLeave?: () => void;
}

interface MenuFrameProps extends Omit<MenuProps, 'children'> {
  /** Already on the page; the menu does not draw it. */
  button: HTMLElement;
  target: RefObject<OfTarget>;
  /** Gets the ARIA attributes for the button. */
  onSays: (says: Record<string, unknown>) => void;
  children: ReactNode;
}

/** A menu for a button that is already on the page. */
export function MenuFrame({ button, target, onSays, children, ...menu }: MenuFrameProps) {
  return (
    <Menu {...menu}>
      <Menu.Target>
        <Target button={button} target={target} onSays={onSays} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

interface TargetProps extends Pick<MenuFrameProps, 'button' | 'target' | 'onSays'>, OfTarget {
  ref?: Ref<HTMLElement>;
}

/** Takes the place of the button, which the menu expects as a child. */
function Target({
  ref,
  button,
  target,
  onSays,
  onClick,
  onMouseEnter,
  onMouseLeave,
  ...attributes
}: TargetProps) {
  const [lastText, setLastText] = useState('');
  useLayoutEffect(() => {
    if (typeof ref === 'function') ref(button);
    else if (ref) ref.current = button;
  }, [ref, button]);
  useLayoutEffect(() => {
    target.current = { onClick, onMouseEnter, onMouseLeave } as OfTarget;
    const { className: _, ...says } = attributes as Record<string, unknown>;
    const text = JSON.stringify(says);
    if (text === lastText) return;
    setLastText(text);
    onSays(says);
  });
  return null;
}
