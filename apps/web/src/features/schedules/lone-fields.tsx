import { LONE_PHRASE } from '@albedo/contract/schedules/schedules.names';
import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import classes from './schedules.module.css';
import { controlPolicyQuery } from './schedules.queries.ts';

/** Who has to agree before something reaches a device, as far as the policy of the workgroup says. */
export function useNeeds() {
  const { data } = useQuery(controlPolicyQuery(useWorkgroup()));
  return data?.needs ?? 'nobody';
}

interface LoneFieldsProps {
  phrase: string;
  onChange: (phrase: string) => void;
}

/** What a lone owner types in place of a second person. */
export function LoneFields({ phrase, onChange }: LoneFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.lone}>
      <Text size="sm">{t('schedules.lone.text')}</Text>
      <TextInput
        label={t('schedules.lone.phrase', { phrase: LONE_PHRASE })}
        value={phrase}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
