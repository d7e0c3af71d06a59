import type { ApiToken } from '@albedo/contract/api-tokens/api-tokens.schema';
import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { agoText } from '../../ui/units/durations.ts';
import classes from './api-tokens.module.css';
import { isEnding, stateOf } from './token-state.ts';

const timeText = (at: number): string => formatInstant(at, userZone(), false);

export function tokenColumns(
  t: TFunction,
  groups: readonly DeviceGroup[] | undefined,
  now: number,
): Column<ApiToken>[] {
  const groupOf = ({ devGroup }: ApiToken) =>
    devGroup === null
      ? t('apiTokens.allDevices')
      : (groups?.find(({ _id }) => _id === devGroup)?.name ?? devGroup);
  return [
    { id: 'owner', title: t('apiTokens.owner'), value: (row) => row.owner, width: 190, isFixed: true },
    {
      id: 'state',
      title: t('apiTokens.state'),
      value: (row) => stateText(t, row, now),
      cell: (row) => <TokenState token={row} now={now} />,
      width: 110,
      importance: 7,
    },
    {
      id: 'email',
      title: t('apiTokens.email'),
      value: (row) => row.email,
      width: 220,
      importance: 2,
      isHidden: true,
    },
    {
      id: 'expiresAt',
      title: t('apiTokens.expires'),
      value: (row) => row.expiresAt,
      isTime: true,
      text: (row) => timeText(row.expiresAt),
      cell: (row) => <Expiry token={row} now={now} />,
      width: 180,
      importance: 6,
      alarms: (row) => isEnding(row, now),
    },
    {
      id: 'canRenew',
      title: t('apiTokens.canRenew'),
      value: (row) => t(row.canRenew ? 'apiTokens.yes' : 'apiTokens.no'),
      width: 95,
      importance: 2,
    },
    {
      id: 'lastUsedAt',
      title: t('apiTokens.lastUsed'),
      value: (row) => row.lastUsedAt,
      isTime: true,
      text: (row) => (row.lastUsedAt === null ? t('apiTokens.never') : timeText(row.lastUsedAt)),
      cell: (row) => (row.lastUsedAt === null ? t('apiTokens.never') : agoText(row.lastUsedAt, now)),
      width: 110,
      importance: 5,
    },
    {
      id: 'permissions',
      title: t('members.permissions'),
      value: (row) => row.permissions.map((one) => t(`members.permission.${one}`)).join(', '),
      width: 150,
      importance: 4,
    },
    { id: 'devGroup', title: t('apiTokens.devGroup'), value: groupOf, width: 120, importance: 3 },
    {
      id: 'createdBy',
      title: t('apiTokens.createdBy'),
      value: (row) => row.createdBy,
      width: 200,
      importance: 1,
      isHidden: true,
    },
    {
      id: 'createdAt',
      title: t('apiTokens.createdAt'),
      value: (row) => row.createdAt,
      isTime: true,
      text: (row) => timeText(row.createdAt),
      width: 160,
      importance: 1,
    },
  ];
}

function stateText(t: TFunction, token: ApiToken, now: number): string {
  const state = t(`apiTokens.states.${stateOf(token, now)}`);
  return token.revokedBecause ? `${state}: ${t(`apiTokens.because.${token.revokedBecause}`)}` : state;
}

function TokenState({ token, now }: { token: ApiToken; now: number }) {
  const { t } = useTranslation();
  const state = stateOf(token, now);
  return (
    <span className={`words ${classes.state}`} data-state={state} title={stateText(t, token, now)}>
      {t(`apiTokens.states.${state}`)}
    </span>
  );
}

/** Marked while it needs attention. */
function Expiry({ token, now }: { token: ApiToken; now: number }) {
  const { t } = useTranslation();
  const text = timeText(token.expiresAt);
  if (!isEnding(token, now)) return text;
  return (
    <span className={classes.ending} title={t('apiTokens.endsSoon')}>
      <LevelIcon mark="warning" size={14} />
      {text}
    </span>
  );
}

/** A token on a narrow screen. */
export function NarrowToken({ row: token }: { row: ApiToken }) {
  const { t } = useTranslation();
  const now = Date.now();
  return (
    <NarrowRow title={token.owner}>
      {stateText(t, token, now)} · {t('apiTokens.until', { time: timeText(token.expiresAt) })}
    </NarrowRow>
  );
}
