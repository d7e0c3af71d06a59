/** What is known of an information model of SunSpec, and short ways to write its points down. */
export type PointType =
  | 'int16'
  | 'uint16'
  | 'acc32'
  | 'uint32'
  | 'acc64'
  | 'float32'
  | 'enum16'
  | 'bits16'
  | 'bits32';

export interface Point {
  offset: number;
  type: PointType;
  /** Offset of the register with the power of ten, counted from the model's id; null when there is none. */
  scaleAt: number | null;
  /** Multiplied in after the scale factor. */
  factor: number;
  column: string;
  units: string;
  /** Names of the values of an enumeration, or of the bits. */
  names?: Record<number, string>;
}

export interface Model {
  id: number;
  title: string;
  table: 'solar' | 'meter' | 'weather' | 'battery' | 'strings';
  points: Point[];
  /** Points that repeat after `fixedLength` registers (id and length included), `repeatLength` registers each. */
  repeating: { fixedLength: number; repeatLength: number; points: Point[] } | null;
}

/** Factor of what a device tells in percent. */
export const PERCENT = 0.01;

type Row = [
  offset: number,
  type: PointType,
  scaleAt: number | null,
  column: string,
  units?: string,
  factor?: number,
];

export const rows = (...list: Row[]): Point[] =>
  list.map(([offset, type, scaleAt, column, units = '', factor = 1]) => ({
    offset,
    type,
    scaleAt,
    factor,
    column,
    units,
  }));

export const named = (
  offset: number,
  type: 'enum16' | 'bits16' | 'bits32',
  column: string,
  names: Record<number, string>,
): Point => ({
  offset,
  type,
  scaleAt: null,
  factor: 1,
  column,
  units: '',
  names,
});
