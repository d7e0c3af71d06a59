import {
  type AnnouncementDraft,
  announcementDraft,
  type StoredAnnouncement,
} from '@albedo/contract/announcements/announcements.schema';
import { Button, Modal, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { isoOfField, localField } from './announcement-dates.ts';
import { removeAnnouncement, saveAnnouncement, type ThumbnailChange } from './announcements.queries.ts';
import { AudienceField } from './audience-field.tsx';
import classes from './editor.module.css';
import { ThumbnailField } from './thumbnail-field.tsx';

const WEEK_MS = 7 * 86_400_000;

/** Writes an announcement, or changes one. */
export function AnnouncementForm(props: { announcement: StoredAnnouncement | null; onClose: () => void }) {
  const { announcement, onClose } = props;
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const [id, setId] = useState(announcement?._id ?? null);
  const [thumbnail, setThumbnail] = useState<ThumbnailChange>('keep');
  const [isDeleting, setDeleting] = useState(false);
  const [view, setView] = useState<'write' | 'preview'>('write');
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: announcementDraft,
    initial: announcement ?? emptyDraft(),
    send: async (draft) => {
      await saveAnnouncement(id, draft, thumbnail, setId);
      notifyDone(t('announcements.saved', { title: draft.title }));
      onClose();
    },
  });
  const { bodyMarkdown } = values;
  // What is wrong with the text stands where it is written.
  const isPreview = view === 'preview' && !faultOf('bodyMarkdown');

  return (
    <Modal
      opened
      onClose={onClose}
      size={720}
      fullScreen={isNarrow}
      title={t(announcement ? 'announcements.edit' : 'announcements.add')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form noValidate onSubmit={dialog.onSubmit}>
        <Stack gap="md">
          <TextInput
            {...field('title')}
            data-autofocus
            required
            label={t('announcements.titleField')}
            maxLength={120}
          />
          <div className={classes.dates}>
            <DateField label={t('announcements.start')} {...field('startDate')} />
            <DateField label={t('announcements.end')} {...field('endDate')} />
          </div>
          <p className={classes.hint}>{t('announcements.zone', { zone: userZone() })}</p>
          <AudienceField
            value={values.workgroups ?? null}
            error={faultOf('workgroups')}
            onChange={(workgroups) => set({ workgroups })}
          />
          <div>
            <div className={classes.textHead}>
              <span className={classes.label} id="announcement-text">
                {t('announcements.text')}
              </span>
              <SegmentedControl
                size="xs"
                value={isPreview ? 'preview' : 'write'}
                onChange={(next) => setView(next as typeof view)}
                data={[
                  { value: 'write', label: t('announcements.write') },
                  { value: 'preview', label: t('announcements.preview') },
                ]}
              />
            </div>
            {isPreview ? (
              <div className={classes.preview}>
                <Markdown>{bodyMarkdown}</Markdown>
              </div>
            ) : (
              <Textarea
                {...field('bodyMarkdown')}
                aria-labelledby="announcement-text"
                autosize
                minRows={8}
                maxRows={16}
                description={t('announcements.markdownHint')}
                inputWrapperOrder={['input', 'description', 'error']}
                onChange={(event) => {
                  setView('write');
                  set({ bodyMarkdown: event.currentTarget.value });
                }}
              />
            )}
          </div>
          <ThumbnailField
            current={announcement?.thumbnailUrl ?? null}
            change={thumbnail}
            onChange={setThumbnail}
          />
          <Failure text={dialog.failure} />
          <FormButtons
            {...(announcement ? {} : { submit: t('announcements.publish') })}
            isWorking={dialog.isWorking}
            onCancel={onClose}
            aside={
              announcement ? (
                <Button
                  variant="subtle"
                  color="var(--al-danger)"
                  leftSection={<IconTrash size={16} />}
                  onClick={() => setDeleting(true)}
                >
                  {t('announcements.delete')}
                </Button>
              ) : null
            }
          />
        </Stack>
      </form>
      {isDeleting && announcement ? (
        <ConfirmDialog
          confirm={t('announcements.delete')}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await removeAnnouncement(announcement._id);
            notifyDone(t('announcements.deleted', { title: announcement.title }));
            onClose();
          }}
        >
          {t('announcements.deleteText', { title: announcement.title })}
        </ConfirmDialog>
      ) : null}
    </Modal>
  );
}

interface DateFieldProps {
  label: string;
  /** ISO; empty while nothing usable is typed. */
  value: string;
  error: string | undefined;
  onChange: (iso: string) => void;
}

function DateField({ label, value, error, onChange }: DateFieldProps) {
  return (
    <TextInput
      required
      type="datetime-local"
      label={label}
      value={localField(value)}
      error={error}
      onChange={(event) => onChange(isoOfField(event.currentTarget.value))}
    />
  );
}

function emptyDraft(): AnnouncementDraft {
  const start = Math.floor(Date.now() / 60_000) * 60_000;
  return {
    title: '',
    workgroups: null,
    bodyMarkdown: '',
    startDate: new Date(start).toISOString(),
    endDate: new Date(start + WEEK_MS).toISOString(),
  };
}
