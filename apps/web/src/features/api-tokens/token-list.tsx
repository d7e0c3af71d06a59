import type { ApiToken } from '@albedo/contract/api-tokens/api-tokens.schema';
import { Button } from '@mantine/core';
import { IconBan, IconKey, IconRefresh, IconRefreshOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { PageAction } from '../../ui/page.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { deviceGroupsQuery } from '../device-groups/device-groups.queries.ts';
import { apiTokensQuery, revokeApiToken, setCanRenew } from './api-tokens.queries.ts';
import { NarrowToken, tokenColumns } from './token-columns.tsx';
import { TokenDialog } from './token-dialog.tsx';
import { stateOf } from './token-state.ts';
import { TokensBulk } from './tokens-bulk.tsx';

const idOf = (token: ApiToken): string => token._id;
const BULK = {
  label: ({ owner }: ApiToken) => owner,
  actions: (tokens: ApiToken[], untick: () => void) => <TokensBulk tokens={tokens} onDone={untick} />,
};

/** The API tokens of the workgroup, with what can still be done with them. */
export function TokenList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(60_000);
  const address = useTableAddress('-createdAt');
  const { data: tokens, error, refetch } = useQuery(apiTokensQuery(wg));
  const { data: groups } = useQuery(deviceGroupsQuery(wg));
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const columns = useMemo(() => tokenColumns(t, groups, now), [t, groups, now]);
  const switchRenewal = useCallback(
    async ({ _id, owner, canRenew }: ApiToken) => {
      try {
        await setCanRenew(wg, _id, !canRenew);
        notifyDone(t(canRenew ? 'apiTokens.renewalOff' : 'apiTokens.renewalOn', { owner }));
      } catch (failure) {
        notifyFailure(t('apiTokens.changeFailed'), failure);
      }
    },
    [wg, t],
  );
  const menuOf = useCallback(
    (token: ApiToken) =>
      stateOf(token, Date.now()) === 'active' ? (
        <RowMenu
          label={t('apiTokens.menu', { owner: token.owner })}
          actions={[
            {
              title: t(token.canRenew ? 'apiTokens.stopRenewal' : 'apiTokens.allowRenewal'),
              icon: token.canRenew ? <IconRefreshOff size={16} /> : <IconRefresh size={16} />,
              onClick: () => void switchRenewal(token),
            },
            {
              title: t('apiTokens.revoke'),
              icon: <IconBan size={16} />,
              isDangerous: true,
              onClick: () => setRevoking(token),
            },
          ]}
        />
      ) : null,
    [t, switchRenewal],
  );
  const narrow = useCallback((token: ApiToken) => <NarrowToken token={token} />, []);

  if (error) return <ErrorState title={t('apiTokens.failed')} error={error} onRetry={() => void refetch()} />;
  const create = (
    <Button leftSection={<IconKey size={16} />} onClick={() => setMaking(true)}>
      {t('apiTokens.new')}
    </Button>
  );
  return (
    <>
      <PageAction>{create}</PageAction>
      <DataTable
        label={t('apiTokens.title')}
        name="api-tokens"
        columns={columns}
        rows={tokens}
        rowId={idOf}
        sort={address.sort}
        onSort={address.setSort}
        find={{ label: t('apiTokens.search'), q: address.q, setQ: address.setQ }}
        narrow={narrow}
        bulk={BULK}
        actions={menuOf}
        empty={
          <EmptyState title={t('apiTokens.none')} text={t('apiTokens.noneText')}>
            {create}
          </EmptyState>
        }
      />
      {isMaking ? <TokenDialog onClose={() => setMaking(false)} /> : null}
      {revoking ? (
        <ConfirmDialog
          onClose={() => setRevoking(null)}
          onConfirm={async () => {
            await revokeApiToken(wg, revoking._id);
            notifyDone(t('apiTokens.revoked', { owner: revoking.owner }));
          }}
        >
          {t('apiTokens.revokeText', { owner: revoking.owner })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
