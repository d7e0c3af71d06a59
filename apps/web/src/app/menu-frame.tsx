import { Menu, type MenuProps } from '@mantine/core';
import { type ReactNode, type Ref, type RefObject, useLayoutEffect, useState } from 'react';

/** What the menu does when something happens to its button. */
export interface OfTarget {
  onClick?: () => void;
  onMouseEnter?: () => void;
  onMouseLeave?: () => void;
}

interface MenuFrameProps extends Omit<MenuProps, 'children'> {
  /** It stands elsewhere, and was there before the menu. */
  button: HTMLElement;
  target: RefObject<OfTarget>;
  /** What the button says of the menu to screen readers. */
  onSays: (says: Record<string, unknown>) => void;
  children: ReactNode;
}

/** The menu of a button that was drawn without it. */
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

/** Stands for the button where the menu wants it as a child. */
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
