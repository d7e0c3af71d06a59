import { useMemo } from 'react';
import { useSignedIn } from './session.ts';

export interface Label {
  id: string;
  name: string;
}

/** The labels of the setting `labels`; a bare text is its own id. */
export function useLabels(): Label[] {
  const { workgroup, workgroups } = useSignedIn();
  const kept = workgroups?.find(({ name }) => name === workgroup)?.settings.labels;
  return useMemo(() => {
    if (!Array.isArray(kept)) return [];
    return kept.flatMap((one: unknown): Label[] => {
      if (typeof one === 'string') return [{ id: one, name: one }];
      const { id, name } = (one ?? {}) as Partial<Record<'id' | 'name', unknown>>;
      return typeof id === 'string' ? [{ id, name: typeof name === 'string' ? name : id }] : [];
    });
  }, [kept]);
}
