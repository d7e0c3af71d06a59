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
import { type Faults, faultsOf } from '../../app/faults.ts';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
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
  const [draft, setDraft] = useState<AnnouncementDraft>(() => announcement ?? emptyDraft());
  const [thumbnail, setThumbnail] = useState<ThumbnailChange>('keep');
  const [faults, setFaults] = useState<Faults<AnnouncementDraft>>({});
  const [isDeleting, setDeleting] = useState(false);
  const [view, setView] = useState<'write' | 'preview'>('write');
  const change = (patch: Partial<AnnouncementDraft>) => {
    setDraft({ ...draft, ...patch });
    // What was wrong with a field is over once it is another value.
    setFaults((old) => Object.fromEntries(Object.entries(old).filter(([field]) => !(field in patch))));
  };

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const checked = announcementDraft.safeParse(draft);
    setFaults(faultsOf(checked.error));
    if (!checked.success) return setView('write');
    await saveAnnouncement(id, checked.data, thumbnail, setId);
    notifyDone(t('announcements.saved', { title: checked.data.title }));
    onClose();
  });

  return (
    <Modal
      opened
      onClose={onClose}
      size={720}
      fullScreen={isNarrow}
      title={t(announcement ? 'announcements.edit' : 'announcements.add')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form noValidate onSubmit={handleSubmit}>
        <Stack gap="md">
          <TextInput
            data-autofocus
            required
            label={t('announcements.titleField')}
            value={draft.title}
            error={faults.title}
            maxLength={120}
            onChange={(event) => change({ title: event.currentTarget.value })}
          />
          <div className={classes.dates}>
            <DateField
              label={t('announcements.start')}
              value={draft.startDate}
              error={faults.startDate}
              onChange={(startDate) => change({ startDate })}
            />
            <DateField
              label={t('announcements.end')}
              value={draft.endDate}
              error={faults.endDate}
              onChange={(endDate) => change({ endDate })}
            />
          </div>
          <p className={classes.hint}>{t('announcements.zone', { zone: userZone() })}</p>
          <AudienceField
            value={draft.workgroups}
            error={faults.workgroups}
            onChange={(workgroups) => change({ workgroups })}
          />
          <div>
            <div className={classes.textHead}>
              <span className={classes.label} id="announcement-text">
                {t('announcements.text')}
              </span>
              <SegmentedControl
                size="xs"
                value={view}
                onChange={(next) => setView(next as typeof view)}
                data={[
                  { value: 'write', label: t('announcements.write') },
                  { value: 'preview', label: t('announcements.preview') },
                ]}
              />
            </div>
            {view === 'write' ? (
              <Textarea
                aria-labelledby="announcement-text"
                autosize
                minRows={8}
                maxRows={16}
                value={draft.bodyMarkdown}
                error={faults.bodyMarkdown}
                description={t('announcements.markdownHint')}
                inputWrapperOrder={['input', 'description', 'error']}
                onChange={(event) => change({ bodyMarkdown: event.currentTarget.value })}
              />
            ) : (
              <div className={classes.preview}>
                <Markdown>{draft.bodyMarkdown}</Markdown>
              </div>
            )}
          </div>
          <ThumbnailField
            current={announcement?.thumbnailUrl ?? null}
            change={thumbnail}
            onChange={setThumbnail}
          />
          <Failure text={failure} />
          <FormButtons
            {...(announcement ? {} : { submit: t('announcements.publish') })}
            isWorking={isWorking}
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
