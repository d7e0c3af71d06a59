import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { onApprovalNeeded } from '../../app/call.ts';
import { notifyDone } from '../../app/notify.ts';
import { usePermission } from '../../app/permissions.ts';
import { queryClient } from '../../app/query-client.ts';
import { useSignedIn } from '../../app/session.ts';
import { onConnected, onEvent } from '../../app/socket.ts';
import { formatDuration } from '../../ui/units/durations.ts';
import {
  approvalsMissed,
  deviceApprovalsQuery,
  tookApproval,
  tookRule,
  type Wanted,
  wantedBy,
} from './approvals.queries.ts';
import { isLive, wayText } from './way-text.ts';

/** It comes with its form once something was refused. */
const AskDialog = lazy(async () => ({ default: (await import('./ask-dialog.tsx')).AskDialog }));

/** Asks a second person where one has to agree, and tells both what became of it. */
export function ApprovalWatch() {
  const { t } = useTranslation();
  const { user, workgroup: wg } = useSignedIn();
  const mayDecide = usePermission('manageAccess');
  const [wanted, setWanted] = useState<Wanted | null>(null);

  useEffect(
    () =>
      onApprovalNeeded(async (refused) => {
        const next = wantedBy(refused);
        if (!next) return;
        // Where nobody can say what waits already, the server says it once more when it is asked.
        const known = await queryClient
          .fetchQuery(deviceApprovalsQuery(next.wg, next.device))
          .catch(() => []);
        const waiting = known.find(
          (one) =>
            one.by === user.email &&
            one.way === next.way &&
            one.target === next.target &&
            isLive(one, Date.now()),
        );
        if (!waiting) return setWanted(next);
        const left = formatDuration(waiting.expiresAt - Date.now());
        notifyDone(t('approvals.waits.mine', { what: wayText(t, waiting), left }));
      }),
    [t, user.email],
  );
  useEffect(() => onConnected(() => void approvalsMissed()), []);
  useEffect(() => onEvent('approvalRule:changed', (rule) => tookRule(wg, rule)), [wg]);
  useEffect(
    () =>
      onEvent('approval:changed', ({ deviceName: device, ...changed }) => {
        tookApproval(wg, changed);
        const what = wayText(t, changed);
        const { by, state, decidedBy } = changed;
        if (state === 'asked' && by !== user.email && mayDecide)
          notifyDone(t('approvals.told.asked', { by, what, device }));
        if ((state === 'approved' || state === 'refused') && by === user.email)
          notifyDone(t(`approvals.told.${state}`, { by: decidedBy, what, device }));
      }),
    [wg, t, user.email, mayDecide],
  );
  return wanted ? (
    <Suspense>
      <AskDialog wanted={wanted} onClose={() => setWanted(null)} />
    </Suspense>
  ) : null;
}
