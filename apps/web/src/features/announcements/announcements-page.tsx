import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/page.tsx';
import { AnnouncementList } from './announcement-list.tsx';

/** What the provider tells everybody: all of it, or at `/newannouncements` what is new. */
export function AnnouncementsPage() {
  const { t } = useTranslation();
  const isNewOnly = useLocation().pathname.startsWith('/newannouncements');
  return (
    <Page
      title={t('announcements.title')}
      context={t(isNewOnly ? 'announcements.newContext' : 'announcements.context')}
    >
      <AnnouncementList isNewOnly={isNewOnly} />
    </Page>
  );
}
