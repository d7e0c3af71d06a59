/** What a configuration says of a system; what is null is not set. */
export interface SystemFacts {
  latitudeDeg?: number | null;
  longitudeDeg?: number | null;
  elevationM?: number | null;
  dcKw?: number | null;
  acKw?: number | null;
  areaM2?: number | null;
  /** Of the modules at standard test conditions, 0..1. */
  efficiency?: number | null;
  coefficientPerK?: number | null;
  systemFactor?: number | null;
  albedo?: number | null;
  degradationPerYear?: number | null;
  bifaciality?: number | null;
  referenceC?: number | null;
}

export interface SystemFault {
  field: keyof SystemFacts;
  value: number;
  /** What is allowed, both included unless `isOpen` (then the least one is not). */
  least: number;
  most: number;
  isOpen: boolean;
}

/** Least and most of each; a coefficient above 0 would make hot modules stronger. */
const LIMITS: Record<keyof SystemFacts, readonly [least: number, most: number, isOpen?: boolean]> = {
  latitudeDeg: [-90, 90],
  longitudeDeg: [-180, 180],
  elevationM: [-430, 6000],
  dcKw: [0, 10_000_000],
  acKw: [0, 10_000_000],
  areaM2: [0, 100_000_000],
  efficiency: [0, 0.5, true],
  coefficientPerK: [-0.02, 0],
  systemFactor: [0, 1.2, true],
  albedo: [0, 1],
  degradationPerYear: [0, 0.1],
  bifaciality: [0, 1],
  referenceC: [-20, 80],
};

/** What cannot be true of a system, each with what may be. A rating of 0 is allowed: it gives no figures, and says so. */
export function systemFaults(facts: SystemFacts): SystemFault[] {
  return (Object.keys(LIMITS) as (keyof SystemFacts)[]).flatMap((field) => {
    const value = facts[field];
    if (value === null || value === undefined) return [];
    const [least, most, isOpen = false] = LIMITS[field];
    const isRight = value >= least && value <= most && !(isOpen && value === least);
    return isRight ? [] : [{ field, value, least, most, isOpen }];
  });
}
