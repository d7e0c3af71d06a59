import type { Photo } from '@albedo/contract/photos/photos.schema';
import { Skeleton } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useObjectUrl } from '../../ui/use-object-url.ts';
import classes from './photos.module.css';
import { imageQuery } from './photos.queries.ts';

interface PhotoImageProps {
  wg: string;
  photo: Photo;
  /** What it shows, in words; empty where words stand beside it. */
  alt: string;
  /** The one before stays until this one is there, as in a film. */
  isFilm?: boolean;
  /** Fills its place and is cut at the edges. */
  isCut?: boolean;
}

/** A photo, fetched with the rights of the session: its address alone opens nothing. */
export function PhotoImage({ wg, photo, alt, isFilm = false, isCut = false }: PhotoImageProps) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    ...imageQuery(wg, photo),
    ...(isFilm ? { placeholderData: keepPreviousData } : {}),
  });
  const url = useObjectUrl(data?.blob ?? null);
  if (error) {
    return (
      <span className={classes.broken} role="img" aria-label={t('photos.imageFailed')}>
        <IconPhotoOff size={20} aria-hidden />
      </span>
    );
  }
  if (!url) return <Skeleton className={classes.waiting} radius="sm" />;
  return (
    <img
      className={isCut ? classes.cut : classes.whole}
      src={url}
      alt={alt}
      width={photo.width}
      height={photo.height}
      decoding="async"
      draggable={false}
    />
  );
}
