import classes from './keys.module.css';

/** Keys as they stand on a keyboard, one after the other: `g d`. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={classes.keys}>
      {keys.split(' ').map((key) => (
        <kbd key={key} className={classes.key}>
          {NAMES[key] ?? key}
        </kbd>
      ))}
    </span>
  );
}

const NAMES: Readonly<Record<string, string>> = { Enter: '↵', Escape: 'Esc' };
