import {
  DataType,
  type DataValue,
  LocalizedText,
  QualifiedName,
  type StatusCode,
  VariantArrayType,
} from 'node-opcua-client';

/** Its class is in the two highest bits; the others only say more. Source: OPC UA part 4, section 7.39. */
export const isOfClassGood = ({ value }: StatusCode): boolean => value >>> 30 === 0;
const isUncertain = ({ value }: StatusCode): boolean => value >>> 30 === 1;

/** A value as text, number, bigint, truth or instant; null where its quality does not count, and for structures. */
export function opcuaValue({ statusCode, value }: DataValue, keepsUncertain: boolean): unknown {
  const counts = isOfClassGood(statusCode) || (keepsUncertain && isUncertain(statusCode));
  if (!counts || value === undefined || value === null) return null;
  if (value.arrayType !== VariantArrayType.Scalar) return arrayText(value.dataType, value.value);
  return scalar(value.dataType, value.value);
}

function scalar(type: DataType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === DataType.Int64 || type === DataType.UInt64) return wide(type, value);
  if (value instanceof LocalizedText) return value.text ?? null;
  if (value instanceof QualifiedName) return value.name ?? null;
  if (Buffer.isBuffer(value)) return value.subarray(0, 200).toString('hex');
  if (value instanceof Date || typeof value !== 'object') return value;
  return type === DataType.NodeId || type === DataType.StatusCode || type === DataType.Guid
    ? String(value)
    : null;
}

/** The library gives wide numbers as their two halves, the high one first. */
function wide(type: DataType, value: unknown): bigint | null {
  if (!Array.isArray(value)) return null;
  const [high, low] = value as [number, number];
  const bits = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  return type === DataType.Int64 ? BigInt.asIntN(64, bits) : bits;
}

function arrayText(type: DataType, values: unknown): string | null {
  if (!Array.isArray(values) && !ArrayBuffer.isView(values)) return null;
  const some = Array.from(values as ArrayLike<unknown>).slice(0, 200);
  return JSON.stringify(
    some.map((one) => scalar(type, one)),
    (_, one) => (typeof one === 'bigint' ? String(one) : one),
  );
}

/** What a value of this type is called in a configuration. */
export function typeName(type: DataType | undefined): string {
  if (type === DataType.Boolean) return 'bool';
  if (type === DataType.DateTime) return 'date';
  if (type === DataType.Float || type === DataType.Double) return 'decimal';
  const isInteger = type !== undefined && type >= DataType.SByte && type <= DataType.UInt64;
  return isInteger ? 'integer' : 'keyword';
}
