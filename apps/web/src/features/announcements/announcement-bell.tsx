import { unacknowledgedOf } from '@albedo/contract/announcements/announcements.phase';
import { CloseButton } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { BarPopover } from '../../ui/bar-popover.tsx';
import { dismissAll, followAnnouncements, myAnnouncementsQuery } from './announcements.queries.ts';
import classes from './bell.module.css';
import { useDayText } from './day-text.ts';

/** Source: specification 1, section 9. */
const SHOWN = 5;

/** The bell in the top bar: what is new and not dismissed, and the way to all announcements. */
export function AnnouncementBell() {
  const { t } = useTranslation();
  const dayText = useDayText();
  const now = useNow(5_000);
  const { data, error } = useQuery(myAnnouncementsQuery);
  useEffect(() => followAnnouncements(), []);
  const fresh = unacknowledgedOf(data ?? [], now).toReversed();

  function handleDismiss(id: string) {
    dismissAll([id]).catch((failure: unknown) => notifyFailure(t('announcements.dismissFailed'), failure));
  }

  return (
    <BarPopover
      icon={<IconBell size={20} stroke={1.8} aria-hidden="true" />}
      label={t('announcements.bell', { count: fresh.length })}
      title={t('announcements.title')}
      count={fresh.length}
      className={classes.drop}
    >
      {(close) => (
        <>
          {fresh.length === 0 ? (
            <p className={classes.nothing}>
              {t(error ? 'announcements.failed' : 'announcements.nothingNew')}
            </p>
          ) : (
            <ul className={classes.items}>
              {fresh.slice(0, SHOWN).map((one) => (
                <li key={one._id} className={classes.item}>
                  <Link
                    to="/announcements"
                    hash={`announcement-${one._id}`}
                    className={classes.link}
                    onClick={close}
                  >
                    <strong>{one.title}</strong>
                    <span>{dayText(one.startDate)}</span>
                  </Link>
                  <CloseButton
                    size="sm"
                    aria-label={t('announcements.dismissOne', { title: one.title })}
                    onClick={() => handleDismiss(one._id)}
                  />
                </li>
              ))}
            </ul>
          )}
          <Link to="/announcements" className={classes.all} onClick={close}>
            {t('announcements.viewAll')}
          </Link>
        </>
      )}
    </BarPopover>
  );
}
