import classes from './failure.module.css';

/** What went wrong with a form or a dialog as a whole; null while there is nothing to tell. */
export function Failure({ text }: { text: string | null }) {
  return (
    <p role="alert" className={classes.failure} hidden={text === null}>
      {text}
    </p>
  );
}
