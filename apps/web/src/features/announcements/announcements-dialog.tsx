import { scopeIn } from '@albedo/contract/access/permissions';
import { unacknowledgedOf } from '@albedo/contract/announcements/announcements.phase';
import type { Announcement } from '@albedo/contract/announcements/announcements.schema';
import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isDashboardOnly } from '../../app/guard.ts';
import { notifyFailure } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useSignedIn } from '../../app/session.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { dismissAll, myAnnouncementsQuery } from './announcements.queries.ts';
import { useDayText } from './day-text.ts';
import classes from './dialog.module.css';

/** The start page lists them too. */
const OWN_PAGES = /^\/(?:announcements|newannouncements)?\/?$/;

/**
 * Appears by itself while there are announcements that the user has not dismissed; closed without Done, it stays away
 * until there is another one or the app is opened again. Never for dashboard-only users, nor on the announcements page.
 */
export function AnnouncementsDialog() {
  const { user, workgroup } = useSignedIn();
  const scope = scopeIn(user, workgroup);
  const { pathname } = useLocation();
  return !scope || isDashboardOnly(scope) || OWN_PAGES.test(pathname) ? null : <Unread />;
}

/** Closed without Done; here and not in a component, since switching the workgroup builds the shell again. */
const putAside = new Set<string>();

function Unread() {
  const now = useNow(5_000);
  const { data } = useQuery(myAnnouncementsQuery);
  const [, setCloses] = useState(0);
  const fresh = unacknowledgedOf(data ?? [], now);
  if (fresh.every(({ _id }) => putAside.has(_id))) return null;
  return (
    <Stepper
      announcements={fresh}
      onClose={() => {
        for (const { _id } of fresh) putAside.add(_id);
        setCloses((closes) => closes + 1);
      }}
    />
  );
}

function Stepper({ announcements, onClose }: { announcements: Announcement[]; onClose: () => void }) {
  const { t } = useTranslation();
  const dayText = useDayText();
  const [index, setIndex] = useState(0);
  // Another one may have been taken away meanwhile.
  const step = Math.min(index, announcements.length - 1);
  const shown = announcements[step];
  if (!shown) return null;
  const isLast = step === announcements.length - 1;

  function handleDone() {
    onClose();
    dismissAll(announcements.map(({ _id }) => _id)).catch((error: unknown) =>
      notifyFailure(t('announcements.dismissFailed'), error),
    );
  }

  return (
    <Modal
      opened
      onClose={onClose}
      size={640}
      title={shown.title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <div className={classes.step} data-several={announcements.length > 1} key={shown._id}>
        {shown.thumbnailUrl ? <img className={classes.picture} src={shown.thumbnailUrl} alt="" /> : null}
        <time className={classes.date} dateTime={shown.startDate}>
          {dayText(shown.startDate)}
        </time>
        <Markdown>{shown.bodyMarkdown}</Markdown>
      </div>
      <footer className={classes.footer}>
        <span className={classes.count} aria-live="polite">
          {announcements.length > 1
            ? t('announcements.step', { step: step + 1, of: announcements.length })
            : null}
        </span>
        {announcements.length > 1 ? (
          <Button variant="default" disabled={step === 0} onClick={() => setIndex(step - 1)}>
            {t('actions.back')}
          </Button>
        ) : null}
        {isLast ? (
          <Button data-autofocus onClick={handleDone}>
            {t('announcements.done')}
          </Button>
        ) : (
          <Button data-autofocus onClick={() => setIndex(step + 1)}>
            {t('announcements.next')}
          </Button>
        )}
      </footer>
    </Modal>
  );
}
