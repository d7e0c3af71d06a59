import { BRAND_IMAGE_BYTES, BRAND_IMAGE_TYPES } from '@albedo/contract/branding/brand-images';
import type { BrandImageKind } from '@albedo/contract/workgroups/workgroups.schema';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import classes from './branding.module.css';

interface BrandImageFieldProps {
  kind: BrandImageKind;
  /** Address of the image that is set; null where there is none. */
  url: string | null;
  onSet: (file: File) => Promise<void>;
  onRemove: () => Promise<void>;
}

const LIMITS = { count: 1, fileBytes: BRAND_IMAGE_BYTES, totalBytes: BRAND_IMAGE_BYTES };

/** The logo or the icon of a brand: what there is, and where to drop another one. It counts at once. */
export function BrandImageField({ kind, url, onSet, onRemove }: BrandImageFieldProps) {
  const { t } = useTranslation();

  const { isWorking, failure, attempt } = useAttempt();
  const run = (task: () => Promise<void>) =>
    attempt(async () => {
      await task();
      notifyDone(t('branding.saved'));
    });

  return (
    <div className={classes.image} aria-busy={isWorking}>
      <span className={classes.label}>{t(`branding.${kind}`)}</span>
      {url === null ? null : (
        <div className={classes.current}>
          <span className={classes.picture}>
            <img src={url} alt={t(`branding.${kind}`)} />
          </span>
          <Button variant="default" size="xs" loading={isWorking} onClick={() => void run(onRemove)}>
            {t(`branding.remove.${kind}`)}
          </Button>
        </div>
      )}
      <FileDrop
        label={t(`branding.drop.${kind}`)}
        files={[]}
        limits={LIMITS}
        types={[...BRAND_IMAGE_TYPES]}
        onChange={([file]) => file && void run(() => onSet(file))}
      />
      <Failure text={failure} />
    </div>
  );
}
