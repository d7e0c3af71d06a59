import type { ReactNode } from 'react';
import classes from './page.module.css';

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
  return (
    <div className={classes.page} data-filling={isFilling}>
      <header className={classes.header}>
        <div className={classes.words}>
          <h1 className={classes.title}>{title}</h1>
          {context ? <div className={classes.context}>{context}</div> : null}
        </div>
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}
