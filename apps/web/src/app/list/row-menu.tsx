import classes from '../../ui/row-menu.module.css';
import { LaterMenu } from '../later-menu.tsx';
import type { RowLine } from './row-menu-lines.tsx';

const loadLines = async () => (await import('./row-menu-lines.tsx')).RowMenuLines;

/** What can be done with a row of a table. */
export function RowMenu({ label, actions }: { label: string; actions: readonly RowLine[] }) {
  return (
    <LaterMenu position="bottom-end" returnFocus load={loadLines} of={{ actions }}>
      <button type="button" className={classes.more} aria-label={label}>
        ···
      </button>
    </LaterMenu>
  );
}
