import {
  holds,
  PERMISSION_CODES,
  type Permission,
  type Role,
  scopeIn,
} from '@albedo/contract/access/permissions';
import { role } from '@albedo/contract/access/permissions.schema';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../app/session.ts';
import { ChoiceGrid } from '../../ui/choice-grid.tsx';

interface RoleFieldsProps {
  role: Role;
  permissions: readonly Permission[];
  /** The role cannot be another one now. */
  isRoleFixed?: boolean;
  onChange: (role: Role, permissions: Permission[]) => void;
}

/** Everybody in a workgroup may read. */
const ALWAYS: Permission = 'read';
const PERMISSIONS = Object.keys(PERMISSION_CODES) as Permission[];

/**
 * Role and permissions of a person in the workgroup. An owner may do everything, whatever is ticked; others offer only
 * what they hold themselves.
 */
export function RoleFields({ role: chosen, permissions, isRoleFixed = false, onChange }: RoleFieldsProps) {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const [before] = useState(permissions);
  const own = scopeIn(user, workgroup);
  const isOwner = chosen === 'owner';
  const roles = role.options.filter((one) => one !== 'owner' || own?.role === 'owner');
  const offered = PERMISSIONS.filter((one) => (own && holds(own, one)) || before.includes(one));
  return (
    <>
      <Select
        label={t('members.role')}
        description={t(`members.roleHelp.${chosen}`)}
        allowDeselect={false}
        disabled={isRoleFixed}
        value={chosen}
        data={roles.map((value) => ({ value, label: t(`members.roles.${value}`) }))}
        onChange={(value) => value && onChange(value as Role, [...permissions])}
      />
      <ChoiceGrid
        label={t('members.permissions')}
        {...(isOwner ? { help: t('members.ownerHoldsAll') } : {})}
        value={isOwner ? offered : [...new Set([ALWAYS, ...permissions])]}
        onChange={(values) => onChange(chosen, values as Permission[])}
        choices={offered.map((value) => ({
          value,
          label: t(`members.permission.${value}`),
          help: t(`members.permissionHelp.${value}`),
          isDisabled: isOwner || value === ALWAYS,
        }))}
      />
    </>
  );
}
