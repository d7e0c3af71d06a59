import type { Generation } from './generation.ts';

/**
 * Whether nothing but NUL bytes came before: a program that goes on at its old place in a file that was cut leaves a hole there,
 * which is no part of its first line.
 */
export const isInHole = ({ offset, tail }: Generation): boolean =>
  offset === 0 || tail.every((byte) => byte === 0);

/** Where the NUL bytes end that begin at `from`. */
export const endOfHole = (bytes: Buffer, from: number): number => {
  const end = bytes.subarray(from).findIndex((byte) => byte !== 0);
  return end < 0 ? bytes.length : from + end;
};
