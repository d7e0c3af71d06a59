import { topic } from '../bus/topic.ts';

/** Entities were made, changed, deleted or restored. `by` is an e-mail address; null where the system did it. */
export const entitiesChanged = topic<{ workgroup: string; ids: string[]; by: string | null }>(
  'entities:changed',
);
