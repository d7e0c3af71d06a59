import type { HealthCell as Health } from '@albedo/contract/devices/devices.health';
import { cellText, healthText } from './health-text.ts';
import { LevelIcon } from './level-icon.tsx';
import classes from './status.module.css';

interface HealthCellProps {
  cell: Health;
  /** Why there is no value, where that is known better than the cell tells. */
  reason?: string | undefined;
}

/**
 * A judged value: quiet while it is fine; a warning or a danger has a shape and a colour of its own beside the words.
 * One that is missing is a dash with its reason, in the colour of its class.
 */
export function HealthCell({ cell, reason }: HealthCellProps) {
  // Most cells of a fleet are fine: a bare text is the cheapest to draw, and it is cut with an ellipsis.
  if (cell.class === 'ok') return cellText(cell);
  if (cell.raw === null) {
    return (
      <span className={classes.health} data-mark={cell.class} data-missing="true">
        {`– ${reason ?? healthText(cell.display)}`}
      </span>
    );
  }
  return (
    <span className={classes.health} data-mark={cell.class}>
      <LevelIcon mark={cell.class} size={12} />
      {cellText(cell)}
    </span>
  );
}
