import { LevelIcon } from './level-icon.tsx';
import classes from './status.module.css';

/** Online or offline: a dot that is full or hollow, and the word. */
export function StatusDot({ isOnline, label }: { isOnline: boolean; label: string }) {
  return (
    <span className={classes.state} data-mark={isOnline ? 'ok' : 'danger'}>
      <LevelIcon mark={isOnline ? 'online' : 'offline'} size={12} />
      {label}
    </span>
  );
}
