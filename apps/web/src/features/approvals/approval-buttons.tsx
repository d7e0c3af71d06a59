import type { Approval, ApprovalDecision } from '@albedo/contract/approvals/approvals.schema';
import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { usePermission } from '../../app/permissions.ts';
import { useSignedIn } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { decide, withdraw } from './approvals.queries.ts';

/** What this person can do about a request that is live: decide that of somebody else, withdraw their own. */
export function ApprovalButtons({ approval }: { approval: Approval }) {
  const { t } = useTranslation();
  const { user, workgroup: wg } = useSignedIn();
  const mayDecide = usePermission('manageAccess');
  const { attempt, isWorking } = useAttempt();
  const run = (what: () => Promise<void>) =>
    void attempt(() => what().catch((error: unknown) => notifyFailure(t('approvals.failedOne'), error)));
  const to = (decision: ApprovalDecision) => run(() => decide(wg, approval, decision));
  const { by, state } = approval;
  if (by === user.email) {
    return (
      <Button
        size="compact-xs"
        variant="default"
        disabled={isWorking}
        onClick={() => run(() => withdraw(wg, approval))}
      >
        {t('approvals.withdraw')}
      </Button>
    );
  }
  if (!mayDecide || state !== 'asked') return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <Button size="compact-xs" disabled={isWorking} onClick={() => to('approved')}>
        {t('approvals.approve')}
      </Button>
      <Button size="compact-xs" variant="default" disabled={isWorking} onClick={() => to('refused')}>
        {t('approvals.refuse')}
      </Button>
    </Group>
  );
}
