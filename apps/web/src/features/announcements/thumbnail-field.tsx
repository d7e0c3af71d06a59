import { THUMBNAIL } from '@albedo/contract/announcements/thumbnail';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FileDrop } from '../../ui/file-drop.tsx';
import type { ThumbnailChange } from './announcements.queries.ts';
import classes from './editor.module.css';

interface ThumbnailFieldProps {
  /** Address of the picture that is there. */
  current: string | null;
  change: ThumbnailChange;
  onChange: (change: ThumbnailChange) => void;
}

/** The picture beside an announcement: seen before it is saved, exchanged or taken away. */
export function ThumbnailField({ current, change, onChange }: ThumbnailFieldProps) {
  const { t } = useTranslation();
  const chosen = useObjectUrl(change instanceof File ? change : null);
  const shown = chosen ?? (change === 'remove' ? null : current);
  return (
    <div>
      <span className={classes.label}>{t('announcements.thumbnail')}</span>
      {shown ? (
        <div className={classes.thumbnail}>
          <img src={shown} alt={t('announcements.thumbnail')} />
          <Button variant="default" size="xs" onClick={() => onChange(current ? 'remove' : 'keep')}>
            {t('announcements.removeThumbnail')}
          </Button>
        </div>
      ) : (
        <FileDrop
          label={t('announcements.thumbnailDrop')}
          limits={{ count: 1, fileBytes: THUMBNAIL.maxBytes, totalBytes: THUMBNAIL.maxBytes }}
          types={THUMBNAIL.types}
          files={[]}
          onChange={([file]) => file && onChange(file)}
        />
      )}
    </div>
  );
}

function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return setUrl(null);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
