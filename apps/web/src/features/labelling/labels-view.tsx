import type { Entity } from '@albedo/contract/entities/entities.schema';
import type { EntityLabel } from '@albedo/contract/entities/labels';
import { ActionIcon, Button, ColorInput, TextInput } from '@mantine/core';
import { IconListCheck, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import classes from './labelling.module.css';
import { type LabellingView, sourceAfter } from './labelling-draft.ts';

const COLORS = ['#b0c748', '#3f8f5f', '#2f7fb8', '#7a5bc7', '#c75b9b', '#d9822b', '#c9473f', '#6b7280'];

type Open = { label: EntityLabel | null; isApplied?: true } | null;

/** The labels there are; each can be put on many sources at once. */
export function LabelsView({ entities, ...view }: LabellingView & { entities: readonly Entity[] }) {
  const { t } = useTranslation();
  const { labels, sources, kept, draft, change } = view;
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const drafted = (id: string, label: EntityLabel | null) =>
    change({ ...draft, labels: new Map(draft.labels).set(id, label) });
  const counts = new Map<string, number>();
  for (const of of sources)
    for (const id of sourceAfter(kept, draft, of).labels) counts.set(id, (counts.get(id) ?? 0) + 1);
  const add = (
    <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setOpen({ label: null })}>
      {t('labelling.add')}
    </Button>
  );
  return (
    <>
      {labels.length === 0 ? (
        <EmptyState title={t('labelling.none')} text={t('labelling.noneText')}>
          {add}
        </EmptyState>
      ) : (
        <>
          <ul className={classes.rows}>
            {labels.map((label) => {
              const { id, name, color } = label;
              return (
                <li key={id} className={classes.row}>
                  <span
                    className={classes.dot}
                    style={color ? { background: color } : undefined}
                    aria-hidden
                  />
                  <span className={classes.name}>
                    {name}
                    <span className={classes.use}>
                      {t('labelling.use', {
                        sources: t('labelling.sources', { count: counts.get(id) ?? 0 }),
                        entities: t('labelling.entities', {
                          count: entities.filter((one) => one.labels.includes(id)).length,
                        }),
                      })}
                    </span>
                  </span>
                  <Button
                    variant="subtle"
                    size="xs"
                    className={classes.apply ?? ''}
                    leftSection={<IconListCheck size={14} />}
                    aria-label={t('labelling.applyOf', { name })}
                    onClick={() => setOpen({ label, isApplied: true })}
                  >
                    {t('labelling.apply')}
                  </Button>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    aria-label={t('labelling.rename', { name })}
                    onClick={() => setOpen({ label })}
                  >
                    <IconPencil size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    aria-label={t('labelling.remove', { name })}
                    onClick={() => drafted(id, null)}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </li>
              );
            })}
          </ul>
          <div>{add}</div>
        </>
      )}
      {open && !open.isApplied ? (
        <LabelDialog
          label={open.label}
          others={labels.filter(({ id }) => id !== open.label?.id)}
          onSet={(label) => drafted(label.id, label)}
          onClose={close}
        />
      ) : null}
      {open?.isApplied && open.label ? <ApplyDialog {...view} label={open.label} onClose={close} /> : null}
    </>
  );
}

interface LabelDialogProps {
  /** Null for a new one. */
  label: EntityLabel | null;
  others: readonly EntityLabel[];
  onSet: (label: EntityLabel) => void;
  onClose: () => void;
}

function LabelDialog({ label, others, onSet, onClose }: LabelDialogProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(label?.name ?? '');
  const [color, setColor] = useState(label?.color || (COLORS[others.length % COLORS.length] ?? ''));
  const isTaken = others.some((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    onSet({ id: label?.id ?? crypto.randomUUID(), name: name.trim(), color });
    onClose();
  });
  return (
    <FormDialog
      title={label ? t('labelling.rename', { name: label.name }) : t('labelling.add')}
      submit={t('labelling.take')}
      isWorking={isWorking}
      isDisabled={name.trim() === '' || isTaken}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('labelling.name')}
        value={name}
        maxLength={80}
        error={isTaken ? t('labelling.taken') : null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ColorInput
        label={t('labelling.color')}
        value={color}
        format="hex"
        swatches={COLORS}
        onChange={setColor}
      />
    </FormDialog>
  );
}
