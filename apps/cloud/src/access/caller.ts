import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { DeviceScope } from './device-scope.ts';
import { signedIn } from './signed-in.ts';

/** Who asks about a workgroup, and which of its devices exist for them. */
export interface Caller {
  workgroup: string;
  session: SessionClaims;
  devices: DeviceScope;
}

/** The caller of an endpoint or a socket action that needs a session. */
export const callerOf = (call: {
  workgroup: string;
  session: SessionClaims | null;
  scope: DeviceScope;
}): Caller => ({ workgroup: call.workgroup, session: signedIn(call), devices: call.scope });
