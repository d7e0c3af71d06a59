import classes from './severity-mark.module.css';

/** A severity of a workgroup; `rank` 0 is the gravest. */
export interface ShownSeverity {
  name: string;
  color: string;
  rank: number;
}

/** Colours by name have a shade of their own in each scheme; others are taken as they are, where they are colours. */
const NAMED: Readonly<Record<string, string>> = {
  red: 'var(--al-danger)',
  orange: 'var(--al-warning)',
  yellow: 'var(--al-caution)',
  green: 'var(--al-ok)',
  blue: 'var(--mantine-color-blue-6)',
  violet: 'var(--mantine-color-violet-6)',
  gray: 'var(--al-faint)',
};

/** Names of the colours that a severity can be given. */
export const SEVERITY_COLOURS = Object.keys(NAMED);

export const severityColour = (color: string): string =>
  NAMED[color] ?? (/^#[0-9a-f]{3,8}$/i.test(color) ? color : 'var(--al-dimmed)');

/** Every rank has a shape of its own, so that nothing depends on seeing its colour: what is graver has more corners. */
const SHAPES = [
  <path key="0" d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z" fill="currentColor" />,
  <path key="1" d="M8 1.8 15 14H1z" fill="currentColor" />,
  <circle key="2" cx="8" cy="8" r="6.4" fill="currentColor" />,
] as const;
const STROKES = ['M8 4v5M8 10.4v1.8', 'M8 6v4M8 11.2v1.4', 'M8 4.4v4.4M8 10.4v1.5'] as const;

/** The sign of a severity. */
export function SeverityIcon({ severity, size = 14 }: { severity: ShownSeverity; size?: number }) {
  const at = Math.min(Math.max(0, severity.rank), 2);
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={classes.icon}
      style={{ color: severityColour(severity.color) }}
    >
      {SHAPES[at]}
      <path d={STROKES[at]} stroke="var(--al-surface)" strokeWidth="1.7" />
    </svg>
  );
}

/** A severity: its sign and its word. */
export function SeverityMark({ severity, size }: { severity: ShownSeverity; size?: number }) {
  return (
    <span className={classes.mark}>
      <SeverityIcon severity={severity} {...(size === undefined ? {} : { size })} />
      {severity.name}
    </span>
  );
}
