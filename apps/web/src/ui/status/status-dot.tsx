import { LevelIcon } from './level-icon.tsx';
import classes from './status.module.css';

interface StatusDotProps {
  isOnline: boolean;
  label: string;
  /** What is not in use is no danger. */
  isOptional?: boolean;
}

/** Online or offline: a dot that is full or hollow, and the word. */
export function StatusDot({ isOnline, label, isOptional = false }: StatusDotProps) {
  const mark = isOnline ? 'ok' : isOptional ? 'unused' : 'danger';
  return (
    <span className={classes.state} data-mark={mark}>
      <LevelIcon mark={isOnline ? 'online' : isOptional ? 'unused' : 'offline'} size={12} />
      {label}
    </span>
  );
}
