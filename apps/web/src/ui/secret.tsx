import { CopyIcon } from './copy-id.tsx';
import classes from './secret.module.css';

interface SecretProps {
  value: string;
  /** What it is, for the name of the button that copies it. */
  label: string;
}

/** A key or a code that is read off the screen, in groups of four, or copied. What is selected has no gaps. */
export function Secret({ value, label }: SecretProps) {
  return (
    <span className={classes.secret}>
      <code className={classes.value}>
        {(value.match(/.{1,4}/g) ?? []).map((group, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups may be alike, and none moves.
          <span key={at}>{group}</span>
        ))}
      </code>
      <CopyIcon value={value} label={label} />
    </span>
  );
}
