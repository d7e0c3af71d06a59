import type { Entity } from '@albedo/contract/entities/entities.schema';
import { Anchor, Button, Checkbox, Group, Modal, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import classes from './entities.module.css';
import { useLabels } from './entities.queries.ts';
import { type LabelChanges, labelChangesOf } from './label-changes.ts';

interface LabelsDialogProps {
  entities: readonly Entity[];
  onSet: (changes: LabelChanges) => void | Promise<void>;
  onClose: () => void;
}

/** One box for each label: all of the entities have it, some, or none. Texts: specification 2, section 2. */
export function LabelsDialog({ entities, onSet, onClose }: LabelsDialogProps) {
  const { t } = useTranslation();
  const labels = useLabels();
  const [set, setSet] = useState<ReadonlyMap<string, boolean>>(new Map());

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    await onSet(labelChangesOf(entities, set));
    onClose();
  });

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('entities.labels')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form onSubmit={handleSubmit}>
        <Stack gap="sm">
          {labels.map(({ id, name, color }) => {
            const count = entities.filter((one) => one.labels.includes(id)).length;
            const chosen = set.get(id);
            const isAll = chosen ?? count === entities.length;
            return (
              <Checkbox
                key={id}
                label={
                  <Group gap={8}>
                    <span className={classes.dot} style={color ? { background: color } : undefined} />
                    {name}
                  </Group>
                }
                checked={isAll}
                indeterminate={chosen === undefined && count > 0 && count < entities.length}
                onChange={(event) => setSet(new Map(set).set(id, event.currentTarget.checked))}
              />
            );
          })}
          {labels.length === 0 ? (
            <p className={classes.note}>
              {t('entities.noLabels')}{' '}
              <Anchor component={Link} to="/admin/entities/labels" size="sm">
                {t('entities.manageLabels')}
              </Anchor>
            </p>
          ) : null}
        </Stack>
        <Failure text={failure} />
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" loading={isWorking} disabled={labels.length === 0}>
            {t('entities.set')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
