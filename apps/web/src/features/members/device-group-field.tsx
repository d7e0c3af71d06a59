import { scopeIn } from '@albedo/contract/access/permissions';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../app/session.ts';
import { deviceGroupsQuery } from '../device-groups/device-groups.queries.ts';

interface DeviceGroupFieldProps {
  value: string | null;
  onChange: (group: string | null) => void;
  /** An owner sees every device. */
  isOwner: boolean;
  fault?: string | undefined;
}

/** The device group of a member. People in a device group can only put others into that same group. */
export function DeviceGroupField({ value, onChange, isOwner, fault }: DeviceGroupFieldProps) {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const { data: groups = [], error } = useQuery(deviceGroupsQuery(workgroup));
  const isBound = (scopeIn(user, workgroup)?.devGroup ?? null) !== null;
  return (
    <Select
      label={t('members.deviceGroup')}
      description={t(isOwner ? 'members.ownerSeesAll' : 'members.deviceGroupHelp')}
      placeholder={t('members.noDeviceGroup')}
      clearable={!isBound}
      searchable
      disabled={isOwner}
      error={error ? t('members.deviceGroupsFailed') : fault}
      value={isOwner ? null : value}
      data={groups.map(({ _id, name }) => ({ value: _id, label: name }))}
      onChange={onChange}
    />
  );
}
