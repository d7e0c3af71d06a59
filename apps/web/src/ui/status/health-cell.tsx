import type { HealthCell as Health } from '@albedo/contract/devices/devices.health';
import { cellText, healthText } from './health-text.ts';
import { LevelIcon } from './level-icon.tsx';
import classes from './status.module.css';

/**
 * A judged value: quiet while it is fine; a warning or a danger has a shape and a colour of its own beside the words.
 * Without data there is nothing to judge, which is a warning of its own kind: a dashed line, its words for the pointer
 * and for screen readers.
 */
export function HealthCell({ cell }: { cell: Health }) {
  const isUnknown = cell.raw === null && cell.class === 'warning';
  if (isUnknown) {
    return (
      <span className={classes.health} data-mark="unknown" title={healthText(cell.display)}>
        <LevelIcon mark="unknown" size={12} />
        <span className={classes.unseen}>{healthText(cell.display)}</span>
      </span>
    );
  }
  // Most cells of a fleet are fine: a bare text is the cheapest to draw, and it is cut with an ellipsis.
  if (cell.class === 'ok') return cellText(cell);
  return (
    <span className={classes.health} data-mark={cell.class}>
      <LevelIcon mark={cell.class} size={12} />
      {cellText(cell)}
    </span>
  );
}
