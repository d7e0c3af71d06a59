import type { AlertNotify } from '@albedo/contract/alerts/alerts.schema';
import { MultiSelect, NumberInput, Select, Switch, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../app/permissions.ts';
import { useSignedIn } from '../../app/session.ts';
import { membersQuery } from '../members/members.queries.ts';
import { channelsQuery, escalationsQuery } from '../notifications/notifications.queries.ts';
import classes from './alerts.module.css';
import { numberIn } from './fields.ts';

interface NotifyFieldsProps {
  notify: AlertNotify;
  error: string | undefined;
  onChange: (notify: AlertNotify) => void;
}

/** Who hears of it, and how often. */
export function NotifyFields({ notify, error, onChange }: NotifyFieldsProps) {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  // Who is in the workgroup is told to those who manage access alone; others can name themselves.
  const seesMembers = [usePermission('manageAccess'), usePermission('wgMembers')].includes(true);
  const { data = [] } = useQuery({ ...membersQuery(workgroup), enabled: seesMembers });
  const known = new Map([
    [user._id, `${user.name} (${user.email})`],
    ...data.map(({ userId, name, email }) => [userId, `${name} (${email})`] as const),
  ]);
  const { data: channels = [] } = useQuery(channelsQuery(workgroup));
  const { data: escalations = [] } = useQuery(escalationsQuery(workgroup));
  const optionsOf = (all: readonly { _id: string; name: string }[], chosen: readonly string[]) => {
    const names = new Map(all.map(({ _id, name }) => [_id, name]));
    const ids = [...new Set([...names.keys(), ...chosen])];
    return ids.map((value) => ({ value, label: names.get(value) ?? t('alerts.goneTarget') }));
  };
  const change = (part: Partial<AlertNotify>) => onChange({ ...notify, ...part });
  return (
    <>
      <MultiSelect
        searchable
        label={t('alerts.users')}
        description={seesMembers ? undefined : t('alerts.usersOwn')}
        value={notify.users}
        data={[...new Set([...known.keys(), ...notify.users])].map((value) => ({
          value,
          label: known.get(value) ?? t('alerts.someMember'),
        }))}
        onChange={(users) => change({ users })}
      />
      <TagsInput
        label={t('alerts.emails')}
        placeholder={t('alerts.emailsExample')}
        splitChars={[',', ';', ' ']}
        acceptValueOnBlur
        error={error}
        value={notify.emails}
        onChange={(emails) => change({ emails })}
      />
      <MultiSelect
        searchable
        label={t('alerts.channels')}
        value={notify.channels}
        data={optionsOf(channels, notify.channels)}
        onChange={(ids) => change({ channels: ids })}
      />
      <Select
        searchable
        clearable
        label={t('alerts.escalation')}
        description={t('alerts.escalationHelp')}
        placeholder={t('alerts.noEscalation')}
        value={notify.escalation}
        data={optionsOf(escalations, notify.escalation === null ? [] : [notify.escalation])}
        onChange={(escalation) => change({ escalation })}
      />
      <div className={classes.numbers}>
        <NumberInput
          label={t('alerts.repeat')}
          description={t('alerts.repeatHelp')}
          placeholder={t('alerts.repeatNever')}
          min={0.25}
          max={168}
          suffix=" h"
          value={notify.repeatHours ?? ''}
          onChange={(value) => change({ repeatHours: numberIn(value) })}
        />
      </div>
      <Switch
        label={t('alerts.onResolve')}
        checked={notify.onResolve}
        onChange={(event) => change({ onResolve: event.currentTarget.checked })}
      />
    </>
  );
}
