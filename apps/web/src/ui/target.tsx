import { type Ref, type RefObject, useLayoutEffect, useState } from 'react';

/** How what opens reacts to events of its button. */
export interface OfTarget {
  onClick?: () => void;
  onMouseEnter?: () => void;
  onMouseLeave?: () => void;
}

export interface TargetProps {
  /** Already on the page; what opens does not draw it. */
  button: HTMLElement;
  target: RefObject<OfTarget>;
  /** Gets the ARIA attributes for the button. */
  onSays: (says: Record<string, unknown>) => void;
}

/** Takes the place of the button, which menus and popovers expect as a child. */
export function Target({
  ref,
  button,
  target,
  onSays,
  onClick,
  onMouseEnter,
  onMouseLeave,
  ...attributes
}: TargetProps & OfTarget & { ref?: Ref<HTMLElement> }) {
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
