import type { DiagramSymbol } from '@albedo/contract/boards/widgets/diagram';
import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  getSmoothStepPath,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
} from '@xyflow/react';
import { type At, PART } from './arrange.ts';
import classes from './diagram.module.css';
import { DiagramSymbolView } from './symbol.tsx';

/** The symbol stands in the middle of the upper part; lines end at it. */
const SYMBOL = { width: 48, middle: 24 } as const;
/** From the middle of a bus to where lines touch it. */
const BAR = 3;
const SIDES = {
  left: { position: Position.Left, x: (PART.width - SYMBOL.width) / 2, y: SYMBOL.middle },
  right: { position: Position.Right, x: (PART.width + SYMBOL.width) / 2, y: SYMBOL.middle },
  top: { position: Position.Top, x: PART.width / 2, y: 0 },
  bottom: { position: Position.Bottom, x: PART.width / 2, y: PART.height },
} as const;
type Side = keyof typeof SIDES;
const ALL_SIDES = Object.keys(SIDES) as Side[];

export interface PartFacts {
  symbol: DiagramSymbol;
  name: string;
  value: string;
  level: string | null;
  isStale: boolean;
  isOff: boolean;
  share: number | null;
}
export interface PartData extends PartFacts, Record<string, unknown> {
  isDown: boolean;
}
export type PartNode = Node<PartData, 'part'>;

export interface LineData extends Record<string, unknown> {
  /** What is written on it. */
  text: string;
  way: Way;
}
export type Way = 'forwards' | 'backwards' | 'still' | 'unknown';
export type LineEdge = Edge<LineData, 'line'>;

/** A part as the canvas wants it; its size is known, so nothing has to be measured. */
export const partNode = (id: string, position: At, data: PartData): PartNode => ({
  ...{ id, type: 'part' as const, position, data, ...PART },
  handles: ALL_SIDES.map((side) => ({
    ...{ id: side, type: 'source' as const, ...placeOf(side, data), width: 1, height: 1 },
  })),
});

/** Where lines end at a part. A bus is thin: they go up to its bar. */
function placeOf(side: Side, { symbol, isDown }: Pick<PartData, 'symbol' | 'isDown'>) {
  const place = SIDES[side];
  if (symbol !== 'bus') return place;
  if (isDown) return side === 'top' ? { ...place, y: SYMBOL.middle - BAR } : place;
  if (side === 'left') return { ...place, x: PART.width / 2 - BAR };
  return side === 'right' ? { ...place, x: PART.width / 2 + BAR } : place;
}

/** A line between the sides that look at each other. */
export function lineEdge(
  id: string,
  { from, to }: { from: string; to: string },
  places: ReadonlyMap<string, At>,
  data: LineData,
): LineEdge {
  const [a, b] = [places.get(from) ?? { x: 0, y: 0 }, places.get(to) ?? { x: 0, y: 0 }];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const isAcross = Math.abs(dx) >= PART.width * 0.8;
  const [out, into]: [Side, Side] = isAcross
    ? dx > 0
      ? ['right', 'left']
      : ['left', 'right']
    : dy >= 0
      ? ['bottom', 'top']
      : ['top', 'bottom'];
  const head = { type: MarkerType.ArrowClosed, width: 14, height: 14, color: 'var(--al-brand-text)' };
  return {
    ...{ id, type: 'line', source: from, target: to, sourceHandle: out, targetHandle: into, data },
    ...(data.way === 'forwards' ? { markerEnd: head } : {}),
    ...(data.way === 'backwards' ? { markerStart: head } : {}),
  };
}

function Part({ data, selected }: NodeProps<PartNode>) {
  const { symbol, name, value, level, isStale, isOff, share, isDown } = data;
  return (
    <div className={classes.part} data-selected={selected}>
      {ALL_SIDES.map((side) => (
        <Handle
          key={side}
          id={side}
          type="source"
          position={SIDES[side].position}
          className={classes.handle}
          style={{ left: placeOf(side, data).x, top: placeOf(side, data).y, right: 'auto', bottom: 'auto' }}
        />
      ))}
      <DiagramSymbolView of={symbol} isOff={isOff} share={share} isDown={isDown} />
      {value === '' ? null : (
        <b data-level={level ?? undefined} data-stale={isStale}>
          {value}
        </b>
      )}
      <small>{name}</small>
    </div>
  );
}

function FlowLine(props: EdgeProps<LineEdge>) {
  const { id, data, selected, markerStart, markerEnd } = props;
  const [path, x, y] = getSmoothStepPath({ ...props, borderRadius: 6 });
  const way = data?.way ?? 'unknown';
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        className={classes.line}
        data-way={way}
        data-selected={selected}
        {...(markerStart === undefined ? {} : { markerStart })}
        {...(markerEnd === undefined ? {} : { markerEnd })}
        interactionWidth={24}
      />
      {way === 'forwards' || way === 'backwards' ? (
        <path d={path} className={classes.moving} data-way={way} />
      ) : null}
      {data?.text ? (
        <EdgeLabelRenderer>
          <span
            className={classes.lineText}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            {data.text}
          </span>
        </EdgeLabelRenderer>
      ) : null}
    </>
  );
}

export const NODE_TYPES = { part: Part };
export const EDGE_TYPES = { line: FlowLine };
