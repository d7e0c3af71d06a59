import { changedLines } from './changed-lines.ts';
import classes from './device-config.module.css';

/** Line by line what goes from one text and what comes with the other. */
export function DiffLines({ before, after }: { before: string; after: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <pre className={classes.diff} tabIndex={0}>
      {changedLines(before, after).map(({ mark, line, number }) => (
        <div key={`${mark}${number}`} data-mark={mark}>
          {mark} {line}
        </div>
      ))}
    </pre>
  );
}
