import { useTranslation } from 'react-i18next';
import classes from './filter-chip.module.css';
import { formatWhole } from './units/numbers.ts';

export type FilterMode = 'include' | 'exclude' | null;

interface FilterChipProps {
  label: string;
  /** How many there are. */
  count?: number;
  /** What stands before the label. */
  icon?: React.ReactNode;
  mode: FilterMode;
  onChange: (mode: FilterMode) => void;
}

/** One filter: its name switches it on and off, the sign at its right flips it between include and exclude. */
export function FilterChip({ label, count, icon, mode, onChange }: FilterChipProps) {
  const { t } = useTranslation();
  const flipped = mode === 'include' ? 'exclude' : 'include';
  return (
    <span className={classes.chip} data-mode={mode ?? 'off'} data-empty={count === 0 && mode === null}>
      <button
        type="button"
        className={classes.name}
        aria-pressed={mode !== null}
        onClick={() => onChange(mode === null ? 'include' : null)}
      >
        {icon}
        <span className={classes.label}>{label}</span>{' '}
        {mode === 'exclude' ? <span className={classes.unseen}>{t('filter.excluded')}</span> : null}{' '}
        {count === undefined ? null : <span className={classes.count}>{formatWhole(count)}</span>}
      </button>
      {mode === null ? null : (
        <button
          type="button"
          className={classes.flip}
          aria-label={t(`filter.${flipped}`, { label })}
          title={t(`filter.${flipped}`, { label })}
          onClick={() => onChange(flipped)}
        >
          {mode === 'include' ? '=' : '≠'}
        </button>
      )}
    </span>
  );
}
