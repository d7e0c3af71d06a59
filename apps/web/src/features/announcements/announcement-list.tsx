import { phaseOf } from '@albedo/contract/announcements/announcements.phase';
import type { Announcement } from '@albedo/contract/announcements/announcements.schema';
import { Badge, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWork } from '../../app/use-submit.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import classes from './announcements.module.css';
import { dismissAll, myAnnouncementsQuery } from './announcements.queries.ts';
import { useDayText } from './day-text.ts';

/** Everything the provider announced so far, newest first; with `isNewOnly` only what is new. */
export function AnnouncementList({ isNewOnly = false }: { isNewOnly?: boolean }) {
  const { t } = useTranslation();
  const now = useNow(5_000);
  const { data, error, refetch } = useQuery(myAnnouncementsQuery);
  if (error && !data)
    return <ErrorState title={t('announcements.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  const shown = isNewOnly ? data.filter((one) => phaseOf(one, now) === 'running') : data;
  if (shown.length === 0)
    return <EmptyState title={t('announcements.none')} text={t('announcements.noneText')} />;
  return (
    <ul className={classes.list}>
      {shown.map((one) => (
        <li key={one._id}>
          <AnnouncementCard announcement={one} isNew={phaseOf(one, now) === 'running'} />
        </li>
      ))}
    </ul>
  );
}

function AnnouncementCard({ announcement, isNew }: { announcement: Announcement; isNew: boolean }) {
  const { t } = useTranslation();
  const dayText = useDayText();
  const { _id, title, startDate, thumbnailUrl, bodyMarkdown, isAcknowledged } = announcement;

  const { isWorking, work } = useWork((error) => notifyFailure(t('announcements.dismissFailed'), error));

  return (
    <article className={classes.card} id={`announcement-${_id}`} aria-labelledby={`title-${_id}`}>
      {thumbnailUrl ? <img className={classes.picture} src={thumbnailUrl} alt="" loading="lazy" /> : null}
      <div className={classes.content}>
        <header className={classes.cardHead}>
          <h2 id={`title-${_id}`} className={classes.cardTitle}>
            {title}
          </h2>
          {isNew && !isAcknowledged ? (
            <Badge variant="default" flex="none">
              {t('announcements.new')}
            </Badge>
          ) : null}
        </header>
        <time className={classes.date} dateTime={startDate}>
          {dayText(startDate)}
        </time>
        <Markdown>{bodyMarkdown}</Markdown>
        {isNew && !isAcknowledged ? (
          <Button
            variant="default"
            size="xs"
            mt="sm"
            loading={isWorking}
            onClick={() => void work(() => dismissAll([_id]))}
          >
            {t('announcements.dismiss')}
          </Button>
        ) : null}
      </div>
    </article>
  );
}

function ListSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={classes.list} role="status" aria-label={t('states.loading')}>
      {[0, 1, 2].map((one) => (
        <div key={one} className={classes.card}>
          <div className={classes.content}>
            <Skeleton height={16} width="40%" mb="sm" />
            <Skeleton height={10} mb="xs" />
            <Skeleton height={10} width="80%" />
          </div>
        </div>
      ))}
    </div>
  );
}
