import { NO_PRINCIPAL, type PrincipalType } from '@albedo/contract/access-control/access-control.schema';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { apiTokensQuery } from '../api-tokens/api-tokens.queries.ts';
import { deviceGroupsQuery } from '../device-groups/device-groups.queries.ts';
import { membersQuery } from '../members/members.queries.ts';
import { rolesQuery } from '../roles/roles.queries.ts';

export interface Choice {
  value: string;
  label: string;
}

export interface Principals {
  /** The choices; empty for types that name nobody in particular. */
  choices: (type: PrincipalType) => Choice[];
  /** What one is called in a sentence. */
  nameOf: (type: PrincipalType, id: string) => string;
}

/** Everybody and everything that a rule can name. */
export function usePrincipals(): Principals {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: members } = useQuery(membersQuery(wg));
  const { data: tokens } = useQuery(apiTokensQuery(wg));
  const { data: roles } = useQuery(rolesQuery(wg));
  const { data: groups } = useQuery(deviceGroupsQuery(wg));
  return useMemo(() => {
    const ofGroups = named(groups, ({ name }) => name);
    const lists: Partial<Record<PrincipalType, Choice[]>> = {
      User: named(members, ({ name, email }) => `${name} (${email})`),
      API_Token: named(
        tokens?.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > Date.now()),
        ({ owner, email }) => `${owner} (${email})`,
      ),
      Role: named(roles, ({ name }) => name),
      Device_Group: ofGroups,
      Device_Group_API_Token: ofGroups,
    };
    return {
      choices: (type) => lists[type] ?? [],
      nameOf: (type, id) => {
        const name = id === NO_PRINCIPAL ? '' : lists[type]?.find(({ value }) => value === id)?.label;
        return t(`accessControl.who.${type}`, { name: name ?? t('accessControl.gone') });
      },
    };
  }, [t, members, tokens, roles, groups]);
}

const named = <T extends { _id: string }>(
  list: readonly T[] | undefined,
  nameOf: (one: T) => string,
): Choice[] => list?.map((one) => ({ value: one._id, label: nameOf(one) })) ?? [];
