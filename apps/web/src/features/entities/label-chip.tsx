import classes from './entities.module.css';
import { useLabels } from './entities.queries.ts';

/** A label with its color; one that is not among the settings any more shows its id. */
export function LabelChip({ id }: { id: string }) {
  const label = useLabels().find((one) => one.id === id);
  return (
    <span className={classes.label}>
      <span
        className={classes.dot}
        style={label?.color ? { background: label.color } : undefined}
        aria-hidden
      />
      {label?.name ?? id}
    </span>
  );
}
