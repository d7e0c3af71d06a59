import { Button, Skeleton } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VersionsDialogProps } from './versions-dialog.tsx';

const VersionsDialog = lazy(async () => ({
  default: (await import('./versions-dialog.tsx')).VersionsDialog,
}));

/** Opens the versions of a thing. */
export function VersionsButton(props: Omit<VersionsDialogProps, 'onClose'>) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconHistory size={14} />}
        onClick={() => setOpen(true)}
      >
        {t('history.title')}
      </Button>
      {isOpen ? (
        <Suspense fallback={<Skeleton height={0} />}>
          <VersionsDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
