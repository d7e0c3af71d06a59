import { unacknowledgedOf } from '@albedo/contract/announcements/announcements.phase';
import { CloseButton, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
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
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery(myAnnouncementsQuery);
  useEffect(() => followAnnouncements(), []);
  const fresh = unacknowledgedOf(data ?? [], now).toReversed();
  const close = () => setOpen(false);

  function handleDismiss(id: string) {
    dismissAll([id]).catch((failure: unknown) => notifyFailure(t('announcements.dismissFailed'), failure));
  }

  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width="min(360px, calc(100vw - 16px))"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.bell}
          aria-haspopup="dialog"
          aria-label={t('announcements.bell', { count: fresh.length })}
          onClick={() => setOpen(!isOpen)}
        >
          <IconBell size={20} stroke={1.8} aria-hidden="true" />
          {fresh.length > 0 ? (
            <span className={classes.count} aria-hidden="true">
              {fresh.length > 9 ? '9+' : fresh.length}
            </span>
          ) : null}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.drop} aria-label={t('announcements.title')}>
        {fresh.length === 0 ? (
          <p className={classes.nothing}>{t(error ? 'announcements.failed' : 'announcements.nothingNew')}</p>
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
      </Popover.Dropdown>
    </Popover>
  );
}
