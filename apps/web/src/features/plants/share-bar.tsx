import { formatDecimal } from '../../ui/units/numbers.ts';
import classes from './plant.module.css';

/** Part of what could be, 0 to 1; `label` says of what. */
export function ShareBar({ share, label }: { share: number; label: string }) {
  const percent = Math.round(share * 100);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a meter element cannot be styled alike in all browsers.
    <div
      className={classes.share}
      role="meter"
      aria-label={label}
      aria-valuenow={Math.min(100, Math.max(0, percent))}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={`${formatDecimal(percent, 0)} %`}
    >
      <span style={{ translate: `${Math.min(100, Math.max(0, percent)) - 100}%` }} />
    </div>
  );
}
