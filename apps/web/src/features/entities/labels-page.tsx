import type { EntityLabel } from '@albedo/contract/entities/labels';
import { ActionIcon, Button, ColorInput, TextInput } from '@mantine/core';
import { IconHistory, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { entitiesQuery } from '../../app/entity-query.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { VersionsDialog } from '../../app/versions/versions-dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PageAction } from '../../ui/page.tsx';
import { LinesSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { refreshWorkgroups } from '../workgroups/workgroups.queries.ts';
import classes from './entities.module.css';
import { changeEntity, saveLabels, useLabels } from './entities.queries.ts';

/** Entities that a label is taken from at once. Source: specification 2, section 9. */
const AT_ONCE = 5;
const COLORS = ['#b0c748', '#3f8f5f', '#2f7fb8', '#7a5bc7', '#c75b9b', '#d9822b', '#c9473f', '#6b7280'];

/** The labels of entities, a tab of Admin > Entities. */
export function LabelsPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const labels = useLabels();
  const { data: entities, error, refetch } = useQuery(entitiesQuery(wg));
  const [open, setOpen] = useState<{ label: EntityLabel | null; isRemoval?: true } | null>(null);
  const [back, setBack] = useState<EntityLabel | null>(null);
  if (error) return <ErrorState title={t('entities.failed')} error={error} onRetry={() => void refetch()} />;
  if (!entities) return <LinesSkeleton lines={5} />;
  const bearersOf = (id: string) => entities.filter((one) => one.labels.includes(id));
  const close = () => setOpen(null);

  async function remove({ id, name }: EntityLabel): Promise<void> {
    const waiting = bearersOf(id);
    const take = async (): Promise<void> => {
      for (let one = waiting.pop(); one; one = waiting.pop())
        await changeEntity(wg, one._id, {
          labels: one.labels.filter((label) => label !== id),
          version: one.version,
        });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, take));
    await saveLabels(
      wg,
      labels.filter((one) => one.id !== id),
    );
    notifyDone(t('entities.labelRemoved', { name }));
  }

  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ label: null })}>
      {t('entities.labelNew')}
    </Button>
  );
  return (
    <>
      {labels.length > 0 ? <PageAction>{add}</PageAction> : null}
      {labels.length === 0 ? (
        <EmptyState title={t('entities.noLabels')} text={t('entities.noLabelsText')}>
          {add}
        </EmptyState>
      ) : (
        <div className={classes.labelRows}>
          {labels.map((label) => (
            <div key={label.id} className={classes.labelRow}>
              <span
                className={classes.dot}
                style={label.color ? { background: label.color } : undefined}
                aria-hidden
              />
              <span className={classes.labelName}>{label.name}</span>
              <span className={classes.count}>
                {t('entities.labelUsed', { count: bearersOf(label.id).length })}
              </span>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('history.titleOf', { name: label.name })}
                onClick={() => setBack(label)}
              >
                <IconHistory size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('entities.labelChange', { name: label.name })}
                onClick={() => setOpen({ label })}
              >
                <IconPencil size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('entities.labelDelete', { name: label.name })}
                onClick={() => setOpen({ label, isRemoval: true })}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </div>
          ))}
        </div>
      )}
      {back ? (
        <VersionsDialog
          kind="label"
          id={back.id}
          name={back.name}
          mayRestore
          onRestored={refreshWorkgroups}
          onClose={() => setBack(null)}
        />
      ) : null}
      {open && !open.isRemoval ? <LabelForm label={open.label} onClose={close} /> : null}
      {open?.isRemoval && open.label ? (
        <ConfirmDialog
          confirm={confirmText(t('entities.remove'), open.label.name)}
          onConfirm={() => remove(open.label as EntityLabel)}
          onClose={close}
        >
          {t('entities.labelRemoveText', {
            name: open.label.name,
            count: bearersOf(open.label.id).length,
          })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function LabelForm({ label, onClose }: { label: EntityLabel | null; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const labels = useLabels();
  const [name, setName] = useState(label?.name ?? '');
  const [color, setColor] = useState(label?.color || (COLORS[labels.length % COLORS.length] ?? ''));
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const next = { id: label?.id ?? crypto.randomUUID(), name: name.trim(), color };
    await saveLabels(wg, label ? labels.map((one) => (one.id === label.id ? next : one)) : [...labels, next]);
    notifyDone(t('entities.savedOne', { name: next.name }));
    onClose();
  });
  return (
    <FormDialog
      title={label ? t('entities.labelChange', { name: label.name }) : t('entities.labelNew')}
      isWorking={isWorking}
      isDisabled={name.trim() === ''}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('entities.name')}
        value={name}
        maxLength={80}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ColorInput
        label={t('entities.labelColor')}
        value={color}
        format="hex"
        swatches={COLORS}
        onChange={setColor}
      />
    </FormDialog>
  );
}
