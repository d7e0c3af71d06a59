import classes from './rolling.module.css';

/** A figure whose digits roll when they change; those that stay stand still. */
export function Rolling({ text }: { text: string }) {
  return (
    <span className={classes.rolling}>
      <span className={classes.whole}>{text}</span>
      <span aria-hidden="true">
        {digitsOf(text).map(({ key, digit }) => (
          <span key={key} className={classes.digit}>
            {digit}
          </span>
        ))}
      </span>
    </span>
  );
}

/** Counted from the end, where the places of a number stay the same ones. */
const digitsOf = (text: string) =>
  [...text].map((digit, at) => ({ key: `${text.length - at} ${digit}`, digit }));
