import { shellFactor } from '@albedo/contract/shells/shells.schema';
import { SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useIsOwner } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './shells.module.css';
import { setShellRule, shellRuleQuery } from './shells.queries.ts';

/** What people confirm a terminal with; owners change it. */
export function ShellRuleCard() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const isOwner = useIsOwner();
  const { attempt, isWorking, failure } = useAttempt();
  const { data } = useQuery(shellRuleQuery(wg));
  if (!data) return null;
  const { factor, changedBy } = data;
  const handleChange = (value: string) =>
    attempt(async () => {
      await setShellRule(wg, shellFactor.parse(value));
      notifyDone(t('shells.rule.saved'));
    });
  return (
    <Section title={t('shells.rule.title')}>
      <div className={classes.intro}>
        <Text size="sm">
          {t(`shells.rule.texts.${factor}`)}
          {changedBy === null ? '' : ` ${t('shells.rule.by', { by: changedBy })}`}
        </Text>
        <SegmentedControl
          aria-label={t('shells.rule.title')}
          value={factor}
          disabled={!isOwner || isWorking}
          data={shellFactor.options.map((value) => ({ value, label: t(`shells.rule.factors.${value}`) }))}
          onChange={(value) => void handleChange(value)}
        />
        {isOwner ? null : (
          <Text size="sm" c="dimmed">
            {t('shells.access.owners')}
          </Text>
        )}
        <Failure text={failure} />
      </div>
    </Section>
  );
}
