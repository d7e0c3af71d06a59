import type { FindingKind } from '@albedo/contract/diagnostics/diagnostics.names';
import { queryOptions } from '@tanstack/react-query';
import type { FindingWords } from '../../app/feature.ts';
import { announced } from '../../app/inside.ts';

export type Words = ReadonlyMap<FindingKind, FindingWords>;

/** The texts of all features for their findings. They load with this page, so no other page waits for them. */
export const wordsQuery = queryOptions({
  queryKey: ['finding-words'],
  queryFn: async (): Promise<Words> => {
    const all = await Promise.all(announced('findings').map(({ load }) => load()));
    return new Map(all.flatMap(({ findings }) => findings).map((words) => [words.kind, words]));
  },
  staleTime: Number.POSITIVE_INFINITY,
});
