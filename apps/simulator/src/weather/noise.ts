/**
 * Chance that depends only on what is asked: the same seed and place always give the same value, in any process and
 * in any order of questions. Everything random in a plant comes from here, so that history and live data join.
 */

/** A number in 0..1 for a seed and a whole number. Source: the finaliser of MurmurHash3. */
export function chance(seed: number, index: number): number {
  let hash =
    (seed ^ Math.imul(index | 0, 0x9e3779b1) ^ Math.imul(Math.floor(index / 2 ** 32), 0x85ebca6b)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** A seed of its own for a name within another seed. Source: FNV-1a. */
export function seedOf(seed: number, name: string): number {
  let hash = (seed ^ 0x811c9dc5) | 0;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash | 0;
}

/** A smooth curve in 0..1 through one chance value for each period; `at` and `periodMs` in ms. */
export function smoothNoise(seed: number, at: number, periodMs: number): number {
  const place = at / periodMs;
  const index = Math.floor(place);
  const between = place - index;
  const blend = between * between * (3 - 2 * between);
  return chance(seed, index) * (1 - blend) + chance(seed, index + 1) * blend;
}
