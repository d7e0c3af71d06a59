import type { MemberInfo } from '@albedo/contract/members/members.schema';
import type { TFunction } from 'i18next';

/** What somebody may do, in words. */
export function permissionText(
  t: TFunction,
  { role, permissions }: Pick<MemberInfo, 'role' | 'permissions'>,
): string {
  if (role === 'owner') return t('members.everything');
  return permissions.map((permission) => t(`members.permission.${permission}`)).join(', ');
}
