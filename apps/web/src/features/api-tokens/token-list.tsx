import type { ApiToken } from '@albedo/contract/api-tokens/api-tokens.schema';
import { Button } from '@mantine/core';
import { IconBan, IconKey, IconRefresh, IconRefreshOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkAction, RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { PageAction } from '../../ui/page.tsx';
import { severalNames } from '../../ui/several-names.ts';
import { EmptyState } from '../../ui/states.tsx';
import { deviceGroupsQuery } from '../device-groups/device-groups.queries.ts';
import { apiTokensQuery, revokeApiToken, revokeApiTokens, setCanRenew } from './api-tokens.queries.ts';
import { NarrowToken, tokenColumns } from './token-columns.tsx';
import { TokenDialog } from './token-dialog.tsx';
import { stateOf } from './token-state.ts';

const idOf = (token: ApiToken): string => token._id;
const ownerOf = ({ owner }: ApiToken): string => owner;

/** The API tokens of the workgroup, with what can still be done with them. */
export function TokenList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(60_000);
  const list = useList({ query: apiTokensQuery(wg), sort: '-createdAt' });
  const { data: groups } = useQuery(deviceGroupsQuery(wg));
  const [isMaking, setMaking] = useState(false);
  const columns = useMemo(() => tokenColumns(t, groups, now), [t, groups, now]);
  const actions = useMemo(() => tokenActions(t, wg), [t, wg]);
  const create = (
    <Button leftSection={<IconKey size={16} />} onClick={() => setMaking(true)}>
      {t('apiTokens.new')}
    </Button>
  );
  return (
    <>
      <PageAction>{create}</PageAction>
      <ListTable
        {...actions}
        list={list}
        label={t('apiTokens.title')}
        failed={t('apiTokens.failed')}
        name="api-tokens"
        columns={columns}
        rowId={idOf}
        search={t('apiTokens.search')}
        Narrow={NarrowToken}
        empty={
          <EmptyState title={t('apiTokens.none')} text={t('apiTokens.noneText')}>
            {create}
          </EmptyState>
        }
      />
      {isMaking ? <TokenDialog onClose={() => setMaking(false)} /> : null}
    </>
  );
}

/** Nothing can be done with a token that has ended. */
const isLive = (token: ApiToken): boolean => stateOf(token, Date.now()) === 'active';

function tokenActions(t: TFunction, wg: string) {
  const ofOne = (token: ApiToken): RowAction<ApiToken>[] => {
    const { _id, owner, canRenew } = token;
    if (!isLive(token)) return [];
    return [
      {
        id: 'renewal',
        title: t(canRenew ? 'apiTokens.stopRenewal' : 'apiTokens.allowRenewal'),
        icon: canRenew ? <IconRefreshOff size={16} /> : <IconRefresh size={16} />,
        failed: t('apiTokens.changeFailed'),
        run: async () => {
          await setCanRenew(wg, _id, !canRenew);
          notifyDone(t(canRenew ? 'apiTokens.renewalOff' : 'apiTokens.renewalOn', { owner }));
        },
      },
      {
        id: 'revoke',
        title: t('apiTokens.revoke'),
        icon: <IconBan size={16} />,
        isDangerous: true,
        ask: { text: t('apiTokens.revokeText', { owner }) },
        run: async () => {
          await revokeApiToken(wg, _id);
          notifyDone(t('apiTokens.revoked', { owner }));
        },
      },
    ];
  };
  const ofSeveral: BulkAction<ApiToken>[] = [
    {
      id: 'revoke',
      title: t('apiTokens.revoke'),
      icon: <IconBan size={16} />,
      isDangerous: true,
      of: (rows) => rows.filter(isLive),
      ask: (rows) => ({
        text: `${t('apiTokens.revokeMany', { count: rows.length })} ${severalNames(t, rows.map(ownerOf))}`,
      }),
      run: (ids) => revokeApiTokens(wg, ids),
      done: ({ length: count }) => t('apiTokens.revokedMany', { count }),
    },
  ];
  return {
    menu: { label: ({ owner }: ApiToken) => t('apiTokens.menu', { owner }), actions: ofOne },
    bulk: { nameOf: ownerOf, actions: ofSeveral },
  };
}
