import type { Postgres } from '@albedo/postgres/postgres';
import type { Accounts } from '../accounts/accounts.service.ts';
import type { Feature } from '../house/feature.ts';
import type { Mfa } from '../mfa/mfa.service.ts';
import type { Passkeys } from '../passkeys/passkeys.service.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { UsersStore } from '../users/users.store.ts';
import { stepUpRoutes } from './step-up.routes.ts';
import { StepUp } from './step-up.service.ts';
import { StepUpStore } from './step-up.store.ts';

/** Confirming once more who is there, before what a stolen session must not do. */
export function openStepUp(of: {
  postgres: Postgres;
  users: UsersStore;
  sessions: Sessions;
  accounts: Accounts;
  mfa: Mfa;
  passkeys: Passkeys;
}): Feature<StepUp> {
  const stepUp = new StepUp({ ...of, store: new StepUpStore(of.postgres) });
  return { name: 'step-up', service: stepUp, routes: (app) => stepUpRoutes(app, stepUp) };
}
