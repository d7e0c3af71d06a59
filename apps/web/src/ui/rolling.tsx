import { useState } from 'react';
import classes from './rolling.module.css';

/** Nobody can follow digits that roll more often than this, ms; moving many of them costs frames besides. */
const QUICK_MS = 1000;

/** A figure whose digits roll when they change; those that stay stand still, as do those of a figure that changes all the time. */
export function Rolling({ text }: { text: string }) {
  const isQuick = useIsQuick(text);
  return (
    <span className={classes.rolling}>
      <span className={classes.whole}>{text}</span>
      <span aria-hidden="true">
        {digitsOf(text).map(({ key, digit }) => (
          <Digit key={key} digit={digit} isStill={isQuick} />
        ))}
      </span>
    </span>
  );
}

/** How it comes is decided once: a digit that stays does not roll later. */
function Digit({ digit, isStill }: { digit: string; isStill: boolean }) {
  const [cameStill] = useState(isStill);
  return (
    <span className={classes.digit} data-still={cameStill || undefined}>
      {digit}
    </span>
  );
}

/** Whether the text has changed soon after it had changed before. */
function useIsQuick(text: string): boolean {
  const [last, setLast] = useState({ text, at: Number.NEGATIVE_INFINITY, isQuick: false });
  if (last.text === text) return last.isQuick;
  const at = performance.now();
  const isQuick = at - last.at < QUICK_MS;
  setLast({ text, at, isQuick });
  return isQuick;
}

/** Counted from the end, where the places of a number stay the same ones. */
const digitsOf = (text: string) =>
  [...text].map((digit, at) => ({ key: `${text.length - at} ${digit}`, digit }));
