import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useIsOwner } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './approvals.module.css';
import { approvalRuleQuery, setRule } from './approvals.queries.ts';

/** Whether a second person has to agree before somebody reaches into a device; owners change it. */
export function ApprovalRuleCard() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const isOwner = useIsOwner();
  const { attempt, isWorking, failure } = useAttempt();
  const { data } = useQuery(approvalRuleQuery(wg));
  if (!data) return null;
  const { isNeeded, changedBy } = data;
  const handleChange = () =>
    attempt(async () => {
      await setRule(wg, !isNeeded);
      notifyDone(t(isNeeded ? 'approvals.rule.isOff' : 'approvals.rule.isOn'));
    });
  const button = isOwner ? (
    <Button size="xs" variant="default" loading={isWorking} onClick={() => void handleChange()}>
      {t(isNeeded ? 'approvals.rule.turnOff' : 'approvals.rule.turnOn')}
    </Button>
  ) : null;
  return (
    <Section title={t('approvals.rule.title')} actions={button}>
      <div className={classes.intro}>
        <Text size="sm">{t(isNeeded ? 'approvals.rule.on' : 'approvals.rule.off', { by: changedBy })}</Text>
        {isOwner ? null : (
          <Text size="sm" c="dimmed">
            {t('approvals.rule.owners')}
          </Text>
        )}
        <Failure text={failure} />
      </div>
    </Section>
  );
}
