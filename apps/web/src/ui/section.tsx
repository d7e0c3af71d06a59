import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

export interface SectionProps {
  title: string;
  /** One line beside the title. */
  context?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The content reaches the edges, as tables do. */
  isFlush?: boolean;
}

/** A part of a page with a title of its own. */
export function Section({ title, context, actions, children, isFlush = false }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <header className={classes.head}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {context ? <div className={classes.context}>{context}</div> : null}
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </header>
      <div className={isFlush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
