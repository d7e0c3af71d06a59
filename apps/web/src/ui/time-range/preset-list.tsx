import type { ReactNode } from 'react';
import classes from './preset-list.module.css';

/** Ranges that one press chooses, one below the other. */
export const PresetList = ({ children }: { children: ReactNode }) => (
  <div className={classes.presets}>{children}</div>
);

interface PresetProps {
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

export const Preset = ({ isChosen, onChoose, children }: PresetProps) => (
  <button type="button" className={classes.preset} aria-pressed={isChosen} onClick={onChoose}>
    {children}
  </button>
);
