import { PHOTO_LIMITS } from '@albedo/contract/photos/photos.schema';
import { photosSetting } from '@albedo/contract/workgroups/workgroup-settings.schema';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { setWorkgroupSetting, workgroupsQuery } from '../workgroups/workgroups.queries.ts';
import classes from './photos.module.css';

type Kept = z.infer<typeof photosSetting>;

/** Empty for what the provider keeps. */
const figure = z
  .string()
  .trim()
  .transform((text) => (text === '' ? undefined : Number(text.replace(',', '.'))));
const form = z.object({
  days: figure.pipe(photosSetting.shape.days),
  gigabytes: figure.pipe(photosSetting.shape.gigabytes),
});

/** How long photos stay. */
export function PhotosSection() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(workgroupsQuery);
  const workgroup = data?.find(({ name }) => name === wg);
  const kept = photosSetting.catch({}).parse(workgroup?.settings.photos ?? {});
  return (
    <Section title={t('menu.photos')} context={t('photos.keeping.context')}>
      {workgroup ? (
        <PhotosForm key={JSON.stringify(kept)} wg={wg} kept={kept} />
      ) : error ? (
        <ErrorState title={t('workgroup.failed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={150} />
      )}
    </Section>
  );
}

function PhotosForm({ wg, kept }: { wg: string; kept: Kept }) {
  const { t } = useTranslation();
  const initial = { days: textOf(kept.days), gigabytes: textOf(kept.gigabytes) };
  const { values, field, dialog } = useContractForm({
    schema: form,
    initial,
    send: async ({ days, gigabytes }) => {
      const said = {
        ...(days === undefined ? {} : { days }),
        ...(gigabytes === undefined ? {} : { gigabytes }),
      };
      await setWorkgroupSetting(wg, 'photos', Object.keys(said).length === 0 ? null : said);
      notifyDone(t('photos.keeping.saved'));
    },
  });
  const isChanged = values.days.trim() !== initial.days || values.gigabytes.trim() !== initial.gigabytes;
  return (
    <form noValidate className={classes.keeping} onSubmit={dialog.onSubmit}>
      <TextInput
        {...field('days')}
        inputMode="numeric"
        label={t('photos.keeping.days')}
        placeholder={String(PHOTO_LIMITS.days)}
        maxLength={4}
      />
      <TextInput
        {...field('gigabytes')}
        inputMode="decimal"
        label={t('photos.keeping.gigabytes')}
        description={t('photos.keeping.oldestGo')}
        placeholder={String(PHOTO_LIMITS.gigabytes)}
        maxLength={6}
      />
      <Failure text={dialog.failure} />
      <div>
        <Button type="submit" loading={dialog.isWorking} disabled={!isChanged}>
          {t('actions.save')}
        </Button>
      </div>
    </form>
  );
}

const textOf = (number: number | undefined): string => (number === undefined ? '' : String(number));
