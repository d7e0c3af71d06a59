import { isOver } from '@albedo/contract/long-actions/long-actions.state';
import { IconProgress } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../app/session.ts';
import { BarPopover } from '../../ui/bar-popover.tsx';
import { LongActionItem } from './long-action-item.tsx';
import classes from './long-actions.module.css';
import { followLongActions, longActionsQuery, type Place } from './long-actions.queries.ts';

/** In the top bar: what takes longer than a request, also after a reload. Not there while there is nothing. */
export function Activity() {
  const { t } = useTranslation();
  const session = useSignedIn();
  const wg = session.workgroup;
  const own = useQuery(longActionsQuery({ wg }));
  const staff = useQuery({ ...longActionsQuery('staff'), enabled: session.user.staff });
  useEffect(() => followLongActions(), []);
  const all = [
    ...(own.data ?? []).map((action) => ({ action, place: { wg } as Place })),
    ...(staff.data ?? []).map((action) => ({ action, place: 'staff' as Place })),
  ].toSorted((a, b) => b.action.createdAt - a.action.createdAt);
  if (all.length === 0) return null;
  const running = all.filter(({ action }) => !isOver(action.state)).length;

  return (
    <BarPopover
      icon={<IconProgress size={20} stroke={1.8} aria-hidden="true" />}
      label={t('longActions.activity', { count: running })}
      title={t('longActions.title')}
      count={running}
      className={classes.drop}
    >
      {() => all.map(({ action, place }) => <LongActionItem key={action.id} action={action} place={place} />)}
    </BarPopover>
  );
}
