import { accounts } from './features/accounts/accounts.feature.ts';
import { displays } from './features/displays/displays.feature.ts';
import { elsewhere } from './features/elsewhere/elsewhere.feature.ts';
import { sessions } from './features/sessions/sessions.feature.ts';
import { workgroupRequests } from './features/workgroup-requests/workgroup-requests.feature.ts';

/** The features with pages that anybody can open: every visitor of the sign-in page loads what they announce. */
export const publicFeatures = [accounts, displays, elsewhere, sessions, workgroupRequests] as const;
