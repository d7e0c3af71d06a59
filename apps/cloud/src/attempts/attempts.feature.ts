import type { Postgres } from '@albedo/postgres/postgres';
import type { Feature } from '../house/feature.ts';
import { AttemptsStore } from './attempts.store.ts';
import { Attempts } from './attempts.ts';

/** Counts what may be tried only so often, over all processes. */
export const openAttempts = ({ postgres }: { postgres: Postgres }): Feature<Attempts> => ({
  name: 'attempts',
  service: new Attempts(new AttemptsStore(postgres)),
});
