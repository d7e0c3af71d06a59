import { accessControl } from './features/access-control/access-control.feature.ts';
import { accounts } from './features/accounts/accounts.feature.ts';
import { addons } from './features/addons/addons.feature.ts';
import { announcements } from './features/announcements/announcements.feature.ts';
import { apiTokens } from './features/api-tokens/api-tokens.feature.ts';
import { audit } from './features/audit/audit.feature.ts';
import { branding } from './features/branding/branding.feature.ts';
import { completeness } from './features/completeness/completeness.feature.ts';
import { deviceGroups } from './features/device-groups/device-groups.feature.ts';
import { devices } from './features/devices/devices.feature.ts';
import { diagnostics } from './features/diagnostics/diagnostics.feature.ts';
import { elsewhere } from './features/elsewhere/elsewhere.feature.ts';
import { help } from './features/help/help.feature.ts';
import { identityProviders } from './features/identity-providers/identity-providers.feature.ts';
import { jobs } from './features/jobs/jobs.feature.ts';
import { longActions } from './features/long-actions/long-actions.feature.ts';
import { lookupTables } from './features/lookup-tables/lookup-tables.feature.ts';
import { members } from './features/members/members.feature.ts';
import { mfa } from './features/mfa/mfa.feature.ts';
import { passkeys } from './features/passkeys/passkeys.feature.ts';
import { roles } from './features/roles/roles.feature.ts';
import { search } from './features/search/search.feature.ts';
import { sessions } from './features/sessions/sessions.feature.ts';
import { settings } from './features/settings/settings.feature.ts';
import { shellFeature } from './features/shell/shell.feature.ts';
import { stepUp } from './features/step-up/step-up.feature.ts';
import { support } from './features/support/support.feature.ts';
import { telemetry } from './features/telemetry/telemetry.feature.ts';
import { workgroupAdmin } from './features/workgroup-admin/workgroup-admin.feature.ts';
import { workgroupRequests } from './features/workgroup-requests/workgroup-requests.feature.ts';
import { workgroups } from './features/workgroups/workgroups.feature.ts';

/** Every feature. The sign-in page does without this list; the public pages among them stand in `public.ts` as well. */
export const features = [
  accessControl,
  accounts,
  addons,
  announcements,
  apiTokens,
  audit,
  branding,
  completeness,
  deviceGroups,
  devices,
  diagnostics,
  elsewhere,
  help,
  identityProviders,
  jobs,
  longActions,
  lookupTables,
  members,
  mfa,
  passkeys,
  roles,
  search,
  sessions,
  settings,
  shellFeature,
  stepUp,
  support,
  telemetry,
  workgroupAdmin,
  workgroupRequests,
  workgroups,
] as const;
