import { createContext, type ReactNode, useContext, useState } from 'react';
import { createPortal } from 'react-dom';
import classes from './page.module.css';

const ActionSlot = createContext<HTMLElement | null>(null);

/** A button of something inside a page, which stands with the actions of the page, at the right of its title. */
export function PageAction({ children }: { children: ReactNode }) {
  const slot = useContext(ActionSlot);
  return slot ? createPortal(children, slot) : null;
}

export interface PageProps {
  title: ReactNode;
  /** One line under the title that says where one is. */
  context?: ReactNode;
  /** Buttons at the right. */
  actions?: ReactNode;
  children: ReactNode;
  /** The content takes exactly the height of the window and scrolls inside itself. */
  isFilling?: boolean;
}

/** Title, one line of context, actions at the right, content. */
export function Page({ title, context, actions, children, isFilling = false }: PageProps) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return (
    <div className={classes.page} data-filling={isFilling}>
      <header className={classes.header}>
        <div className={classes.words}>
          <h1 className={classes.title}>{title}</h1>
          {context ? <div className={classes.context}>{context}</div> : null}
        </div>
        <div ref={setSlot} className={classes.actions}>
          {actions}
        </div>
      </header>
      <ActionSlot value={slot}>{children}</ActionSlot>
    </div>
  );
}
