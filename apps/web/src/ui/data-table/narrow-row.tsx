import type { ReactNode } from 'react';
import classes from './data-table.module.css';

interface NarrowRowProps {
  title: ReactNode;
  /** The line below the title. */
  children: ReactNode;
}

/** A row on a narrow screen: what it is, and one line about it. */
export function NarrowRow({ title, children }: NarrowRowProps) {
  return (
    <div className={classes.narrow}>
      <span className={classes.narrowTitle}>{title}</span>
      <span className={classes.narrowSecond}>{children}</span>
    </div>
  );
}
