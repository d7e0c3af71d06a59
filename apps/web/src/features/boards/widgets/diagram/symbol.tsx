import type { DiagramSymbol } from '@albedo/contract/boards/widgets/diagram';
import type { ReactNode } from 'react';
import classes from './diagram.module.css';

interface SymbolProps {
  of: DiagramSymbol;
  /** Of a breaker: open; of a valve or pump: shut, or still. */
  isOff?: boolean;
  /** Of a tank: how full, from 0 to 1. */
  share?: number | null;
  /** Of a bus: it lies across a line that goes down. */
  isDown?: boolean;
  size?: number;
}

/** A part as plans draw it, after IEC 60617 for single lines and ISO 10628 for piping. */
export function DiagramSymbolView({
  of,
  isOff = false,
  share = null,
  isDown = false,
  size = 44,
}: SymbolProps) {
  return (
    <svg
      viewBox="0 0 44 44"
      width={size}
      height={size}
      className={classes.symbol}
      data-symbol={of}
      data-off={isOff}
      aria-hidden
    >
      {of === 'bus' ? (
        <rect
          {...(isDown ? { x: 0, y: 19, width: 44, height: 6 } : { x: 19, y: 0, width: 6, height: 44 })}
          rx={2}
          className={classes.solid}
        />
      ) : of === 'tank' ? (
        <Tank share={share} />
      ) : of === 'breaker' ? (
        <Breaker isOpen={isOff} />
      ) : (
        DRAWN[of]
      )}
    </svg>
  );
}

function Tank({ share }: { share: number | null }) {
  const height = 34 * Math.min(1, Math.max(0, share ?? 0));
  return (
    <>
      {share === null ? null : (
        <rect x={9} y={39 - height} width={26} height={height} rx={3} className={classes.level} />
      )}
      <rect x={8} y={4} width={28} height={36} rx={6} />
    </>
  );
}

function Breaker({ isOpen }: { isOpen: boolean }) {
  return (
    <>
      <path d="M0 22H12M32 22H44" />
      <path d={isOpen ? 'M12 22L30 10' : 'M12 22H32'} />
      <path d="M28 18l8 8m0-8l-8 8" />
    </>
  );
}

const letter = (text: string, y = 27) => (
  <text x={22} y={y} className={classes.letter}>
    {text}
  </text>
);
const circle = <circle cx={22} cy={22} r={17} />;

const DRAWN: Record<Exclude<DiagramSymbol, 'bus' | 'tank' | 'breaker'>, ReactNode> = {
  sun: (
    <>
      <circle cx={22} cy={22} r={8} />
      <path d="M22 4v5M22 35v5M4 22h5M35 22h5M9.3 9.3l3.5 3.5M31.2 31.2l3.5 3.5M34.7 9.3l-3.5 3.5M12.8 31.2l-3.5 3.5" />
    </>
  ),
  panels: <path d="M10 8H40L34 36H4ZM25 8L19 36M7 22H37" />,
  wind: (
    <>
      <circle cx={22} cy={17} r={3} />
      <path d="M22 20V41M22 14V2M24.6 18.5L35 25M19.4 18.5L9 25" />
    </>
  ),
  generator: (
    <>
      {circle}
      {letter('G')}
    </>
  ),
  inverter: (
    <>
      <rect x={5} y={5} width={34} height={34} rx={3} />
      <path d="M39 5L5 39M10 12h10M10 16h10M23 32c2.3-5 4.700-5 6.500 0s4.200 5 6.500 0" />
    </>
  ),
  battery: <path d="M0 22H14M30 22H44M14 8V36M19 15V29M25 8V36M30 15V29" />,
  transformer: (
    <>
      <circle cx={16} cy={22} r={11} />
      <circle cx={28} cy={22} r={11} />
    </>
  ),
  meter: (
    <>
      <rect x={6} y={8} width={32} height={28} rx={3} />
      {letter('Wh')}
    </>
  ),
  grid: (
    <path d="M22 3L12 41M22 3L32 41M8 12H36M11 20H33M17 22l12 10M27 22L15 32M12 41L29.500 31M32 41L14.500 31" />
  ),
  load: <path d="M6 21L22 7L38 21M11 18V38H33V18M19 38V27H25V38" />,
  charger: (
    <>
      <rect x={8} y={5} width={18} height={34} rx={3} />
      <path d="M18 12l-5 9h7l-5 9M26 24h4v8a3 3 0 0 0 6 0V16l-5-5" />
    </>
  ),
  pump: (
    <>
      {circle}
      <path d="M22 5L39 22L22 39" className={classes.filling} />
    </>
  ),
  valve: <path d="M4 12V32L40 12V32Z" className={classes.filling} />,
  pipe: (
    <>
      <path d="M0 22H44" />
      <circle cx={22} cy={22} r={4} className={classes.solid} />
    </>
  ),
  exchanger: (
    <>
      {circle}
      <path d="M0 22H12L17 13L25 31L31 22H44" />
    </>
  ),
  sensor: (
    <>
      <circle cx={22} cy={16} r={12} />
      <path d="M22 28V42M16 42H28" />
      {letter('M', 21)}
    </>
  ),
};
