import type { Entity } from '@albedo/contract/entities/entities.schema';
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../app/entity-world-query.ts';
import classes from './boards.module.css';

interface EntityPickerProps {
  choices: readonly Entity[];
  world: KnownWorld;
  value: string | null;
  onChange: (id: string) => void;
}

/** Chooses which entity a board of a label shows. */
export function EntityPicker({ choices, world, value, onChange }: EntityPickerProps) {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={t('boards.entity')}
      className={classes.picker}
      data={namedEntities(choices, world)}
      limit={MOST_SHOWN}
      value={value}
      placeholder={t('boards.chooseEntity')}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('boards.noEntity')}
      onChange={(id) => id && onChange(id)}
    />
  );
}

/** How many a list of entities offers before one types. */
export const MOST_SHOWN = 100;

/** Choices by name, each with what it is below where some share a name. */
export function namedEntities(
  choices: readonly Pick<Entity, '_id' | 'name' | 'parent'>[],
  { byId }: Pick<KnownWorld, 'byId'>,
): { value: string; label: string }[] {
  const areUnique = new Set(choices.map(({ name }) => name)).size === choices.length;
  return choices.map(({ _id, name, parent }) => {
    const place = areUnique || !parent ? undefined : byId.get(parent)?.name;
    return { value: _id, label: place === undefined ? name : `${name}, ${place}` };
  });
}
