import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests of whole programs mostly wait for them. */
const WAITS = /\/e2e\//;

/** Spreads `some` evenly over `others`, each in its own order. */
export function spread<T>(some: readonly T[], others: readonly T[]): T[] {
  const at = (i: number, of: number) => (i + 0.5) / of;
  const placed = [some, others].flatMap((all) => all.map((one, i) => ({ one, at: at(i, all.length) })));
  return placed.toSorted((a, b) => a.at - b.at).map(({ one }) => one);
}

/** Files that wait run beside those that compute, rather than all at once. */
export class SpreadSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => WAITS.test(moduleId);
    return spread(
      sorted.filter(waits),
      sorted.filter((file) => !waits(file)),
    );
  }
}
