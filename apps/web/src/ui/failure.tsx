import classes from './failure.module.css';
import { revealedClass, useRevealed } from './revealed.tsx';

/** What went wrong with a form or a dialog as a whole; null while there is nothing to tell. It comes into sight by itself. */
export function Failure({ text }: { text: string | null }) {
  const ref = useRevealed<HTMLParagraphElement>(text);
  return (
    <p ref={ref} role="alert" className={`${classes.failure} ${revealedClass}`} hidden={text === null}>
      {text}
    </p>
  );
}
