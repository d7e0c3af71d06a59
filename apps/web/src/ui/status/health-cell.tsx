import type { HealthCell as Health } from '@albedo/contract/devices/devices.health';
import { LevelIcon } from './level-icon.tsx';
import classes from './status.module.css';

/**
 * A judged value: quiet while it is fine; a warning or a danger has a shape and a colour of its own beside the words.
 * Without data there is nothing to judge, which is a warning of its own kind.
 */
export function HealthCell({ cell }: { cell: Health }) {
  const isUnknown = cell.raw === null && cell.class === 'warning';
  const mark = isUnknown ? 'unknown' : cell.class;
  return (
    <span className={classes.health} data-mark={mark}>
      {mark === 'ok' ? null : <LevelIcon mark={mark} size={12} />}
      {cell.display}
    </span>
  );
}
