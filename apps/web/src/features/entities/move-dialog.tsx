import type { Entity } from '@albedo/contract/entities/entities.schema';
import { Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { TreeIndex } from './tree-rows.ts';

interface MoveDialogProps {
  index: TreeIndex;
  entities: readonly Entity[];
  ids: readonly string[];
  onSet: (to: string | null) => void;
  onClose: () => void;
}

/** Stands for the top of the tree; no id looks like it. */
const TOP = '/';

/** Asks below what the chosen entities should stand. */
export function MoveDialog({ index, entities, ids, onSet, onClose }: MoveDialogProps) {
  const { t } = useTranslation();
  const [to, setTo] = useState<string | null>(null);
  const options = useMemo(
    () => [
      { value: TOP, label: t('entities.top') },
      ...entities
        .filter(({ _id }) => ids.every((id) => index.canMove(id, _id)))
        .map(({ _id }) => ({ value: _id, label: index.pathOf(_id) }))
        .toSorted((a, b) => a.label.localeCompare(b.label)),
    ],
    [entities, ids, index, t],
  );
  return (
    <FormDialog
      title={t('entities.moveSelected')}
      submit={t('entities.set')}
      isWorking={false}
      isDisabled={to === null}
      failure={null}
      onSubmit={(event) => {
        event.preventDefault();
        onSet(to === TOP ? null : to);
        onClose();
      }}
      onClose={onClose}
    >
      <Select
        data-autofocus
        searchable
        limit={100}
        label={t('entities.newParent')}
        data={options}
        value={to}
        onChange={setTo}
      />
    </FormDialog>
  );
}
