import type { ControlPolicy } from '@albedo/contract/schedules/schedules.schema';
import { Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useIsOwner } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './schedules.module.css';
import { controlPolicyQuery, setPolicy } from './schedules.queries.ts';
import { useHasControl } from './use-has-control.ts';

const CHOICES = ['auto', 'always', 'never'] as const;

/** Who has to agree before a setpoint reaches a device; owners change it. */
export function ControlPolicyCard() {
  return useHasControl() ? <Policy /> : null;
}

function Policy() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const isOwner = useIsOwner();
  const { attempt, isWorking, failure } = useAttempt();
  const { data } = useQuery(controlPolicyQuery(wg));
  if (!data) return null;
  const choose = (next: string) =>
    attempt(async () => {
      await setPolicy(wg, next as ControlPolicy['twoPeople']);
      notifyDone(t('schedules.policy.saved'));
    });
  return (
    <Section title={t('schedules.policy.title')} context={t('schedules.policy.context')}>
      <div className={classes.policy}>
        <Text size="sm">{t(`schedules.policy.now.${data.needs}`, { count: data.holders })}</Text>
        <Radio.Group
          aria-label={t('schedules.policy.title')}
          value={data.twoPeople}
          onChange={(next) => void choose(next)}
        >
          <Stack gap="xs">
            {CHOICES.map((value) => (
              <Radio
                key={value}
                value={value}
                disabled={!isOwner || isWorking}
                label={t(`schedules.policy.${value}`)}
                description={t(`schedules.policy.${value}Text`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {isOwner ? null : (
          <Text size="sm" c="dimmed">
            {t('schedules.policy.owners')}
          </Text>
        )}
        {data.changedBy ? (
          <Text size="sm" c="dimmed">
            {t('schedules.policy.by', { by: data.changedBy })}
          </Text>
        ) : null}
        <Failure text={failure} />
      </div>
    </Section>
  );
}
