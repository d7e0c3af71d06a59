import type { Model, Point, PointType } from './models.ts';

/** Where the marker stands in holding registers, counted from 0. Source: SunSpec Device Information Model 1.2. */
export const BASE_ADDRESS = 40_000;
const MARKER = [0x5375, 0x6e53];
const END = [0xffff, 0];

export type PointValues = Record<string, number | string>;

export interface ModelValues {
  model: Model;
  /** Measured values in their units; a point that is missing reads as not implemented. */
  values: PointValues;
  blocks?: PointValues[];
}

/** What a point reads as when the device does not have it. Source: the same, table of types. */
const NOT_IMPLEMENTED: Record<PointType, number[]> = {
  int16: [0x8000],
  uint16: [0xffff],
  count: [0xffff],
  acc32: [0, 0],
  uint32: [0xffff, 0xffff],
  int32: [0x8000, 0],
  enum16: [0xffff],
  bitfield32: [0xffff, 0xffff],
  sunssf: [0x8000],
  string: [],
  pad: [0x8000],
};

/** Largest and smallest raw values that are no sentinel. */
const LIMITS: Partial<Record<PointType, [number, number]>> = {
  int16: [-32_767, 32_767],
  uint16: [0, 65_534],
  count: [0, 65_534],
  enum16: [0, 65_534],
  sunssf: [-10, 10],
  uint32: [0, 0xffff_fffe],
  int32: [-0x7fff_ffff, 0x7fff_ffff],
  bitfield32: [0, 0x7fff_ffff],
};

/** All holding registers of one device from `BASE_ADDRESS` on: marker, models with their lengths, end. */
export function registerImage(models: ModelValues[]): Uint16Array {
  return Uint16Array.from([...MARKER, ...models.flatMap(encodeModel), ...END]);
}

function encodeModel({ model, values, blocks = [] }: ModelValues): number[] {
  const body = [
    ...encodePoints(model.points, values, values),
    ...blocks.flatMap((block) => encodePoints(model.repeating, block, values)),
  ];
  return [model.id, body.length, ...body];
}

function encodePoints(points: Point[], values: PointValues, scales: PointValues): number[] {
  return points.flatMap((point) => encodePoint(point, values[point.name], scales));
}

function encodePoint(point: Point, value: number | string | undefined, scales: PointValues): number[] {
  if (point.type === 'string') return encodeText(typeof value === 'string' ? value : '', point.size);
  if (typeof value !== 'number' || !Number.isFinite(value)) return NOT_IMPLEMENTED[point.type];
  const power = typeof point.scale === 'string' ? Number(scales[point.scale] ?? 0) : (point.scale ?? 0);
  const scaled = power < 0 ? value * 10 ** -power : value / 10 ** power;
  const raw = point.type === 'acc32' ? Math.floor(scaled) % 2 ** 32 : Math.round(scaled);
  const [low, high] = LIMITS[point.type] ?? [0, 2 ** 32 - 1];
  const kept = Math.min(high, Math.max(low, raw));
  return point.size === 1 ? [kept & 0xffff] : [(kept >>> 16) & 0xffff, kept & 0xffff];
}

function encodeText(text: string, registers: number): number[] {
  const bytes = Buffer.alloc(registers * 2);
  bytes.write(text, 'utf8');
  return Array.from({ length: registers }, (_, index) => bytes.readUInt16BE(index * 2));
}
