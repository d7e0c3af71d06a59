import { Checkbox, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import type { Draft } from 'immer';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../../app/entity-world-query.ts';
import { useLabels } from '../../../app/labels.ts';
import { presetLabel, STANDARD_PRESETS } from '../../../ui/time-range/time-range.ts';
import type { BoardDraft } from '../boards.queries.ts';
import { MOST_SHOWN, namedEntities } from '../entity-picker.tsx';
import { VariablesForm } from './variables-form.tsx';

interface BoardFormProps {
  draft: BoardDraft;
  world: KnownWorld;
  onChange: (recipe: (draft: Draft<BoardDraft>) => void, kind?: string) => void;
}

/** What holds for the board as a whole. */
export function BoardForm({ draft, world, onChange }: BoardFormProps) {
  const { t } = useTranslation();
  const labels = useLabels();
  const { type, typeId, name, board } = draft;
  const choices =
    type === 'entity'
      ? namedEntities(world.entities, world)
      : labels.map((one) => ({ value: one.id, label: one.name }));
  return (
    <Stack gap="sm">
      <TextInput
        label={t('boards.name')}
        value={name}
        maxLength={120}
        onChange={({ currentTarget: { value } }) =>
          onChange((one) => {
            one.name = value;
          }, 'name')
        }
      />
      <div>
        <SegmentedControl
          fullWidth
          aria-label={t('boards.type')}
          value={type}
          data={[
            { value: 'label', label: t('boards.types.label') },
            { value: 'entity', label: t('boards.types.entity') },
          ]}
          onChange={(value) =>
            onChange((one) => {
              one.type = value as BoardDraft['type'];
              one.typeId = (value === 'entity' ? world.entities[0]?._id : labels[0]?.id) ?? '';
            })
          }
        />
      </div>
      <Select
        label={t(`boards.types.${type}`)}
        description={t(`boards.typeHints.${type}`)}
        data={choices}
        limit={MOST_SHOWN}
        value={typeId || null}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('boards.noEntity')}
        onChange={(value) =>
          value &&
          onChange((one) => {
            one.typeId = value;
          })
        }
      />
      <Select
        label={t('boards.firstRange')}
        data={STANDARD_PRESETS.map((value) => ({ value, label: presetLabel(value) }))}
        value={board.range ?? 'today'}
        allowDeselect={false}
        onChange={(value) =>
          value &&
          onChange((one) => {
            one.board.range = value;
          })
        }
      />
      <Checkbox
        label={t('boards.followsClock')}
        checked={board.isLive ?? true}
        onChange={({ currentTarget: { checked } }) =>
          onChange((one) => {
            one.board.isLive = checked;
          })
        }
      />
      <VariablesForm
        variables={board.variables ?? []}
        world={world}
        onChange={(variables) =>
          onChange((one) => {
            if (variables.length > 0) one.board.variables = variables;
            else delete one.board.variables;
          }, 'variables')
        }
      />
    </Stack>
  );
}
