import classes from './storage.module.css';

/** One figure with its name. */
export function Tile({ title, value, hint }: { title: string; value: string; hint?: string }) {
  return (
    <div className={classes.tile} title={hint}>
      <div className={classes.tileTitle}>{title}</div>
      <div className={classes.tileValue}>{value}</div>
    </div>
  );
}
