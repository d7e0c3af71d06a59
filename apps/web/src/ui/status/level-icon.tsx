import classes from './status.module.css';

export type Mark =
  | 'ok'
  | 'warning'
  | 'danger'
  | 'unknown'
  | 'online'
  | 'offline'
  | 'waiting'
  | 'held'
  | 'unused';

const RING = <circle cx="8" cy="8" r="4" fill="none" stroke="currentColor" strokeWidth="2" />;

/** Every state has a shape of its own, so that nothing depends on seeing its colour. */
const shapes: Record<Mark, React.ReactNode> = {
  ok: <path d="M3.5 8.4 6.6 11.5 12.5 5" fill="none" stroke="currentColor" strokeWidth="2.2" />,
  warning: (
    <>
      <path d="M8 1.8 15 14H1z" fill="currentColor" />
      <path d="M8 6v4M8 11.2v1.4" stroke="var(--al-surface)" strokeWidth="1.6" />
    </>
  ),
  danger: (
    <>
      <path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z" fill="currentColor" />
      <path d="M8 4v5M8 10.4v1.8" stroke="var(--al-surface)" strokeWidth="1.8" />
    </>
  ),
  unknown: <path d="M3 8h10" fill="none" stroke="currentColor" strokeWidth="2" strokeDasharray="2.6 1.6" />,
  online: <circle cx="8" cy="8" r="4.5" fill="currentColor" />,
  waiting: (
    <>
      <circle
        cx="8"
        cy="8"
        r="6"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeDasharray="3 2.2"
      />
      <path d="M8 4.8V8l2 1.6" fill="none" stroke="currentColor" strokeWidth="1.6" />
    </>
  ),
  held: (
    <>
      <rect x="3" y="7" width="10" height="7" rx="1.2" fill="currentColor" />
      <path d="M5 7V5a3 3 0 0 1 6 0v2" fill="none" stroke="currentColor" strokeWidth="1.8" />
    </>
  ),
  offline: RING,
  unused: RING,
};

/** The sign of a state; what stands beside it says the state in words. */
export function LevelIcon({ mark, size = 14 }: { mark: Mark; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={classes.icon}
      data-mark={mark}
    >
      {shapes[mark]}
    </svg>
  );
}
