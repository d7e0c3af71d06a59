import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/page.tsx';
import { PhotoBrowser } from './photo-browser.tsx';

/** Photos of all devices of the workgroup. */
export function PhotosPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('menu.photos')} context={t('photos.context')} isFilling>
      <PhotoBrowser />
    </Page>
  );
}
