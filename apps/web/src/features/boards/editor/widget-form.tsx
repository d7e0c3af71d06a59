import type { BoardItem } from '@albedo/contract/boards/board-items';
import { settingsOf } from '@albedo/contract/boards/boards.schema';
import type { BoardVariable } from '@albedo/contract/boards/variables.schema';
import { Select, Stack, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../../app/entity-world-query.ts';
import { visitorOf } from '../../../app/guard.ts';
import { useSignedIn } from '../../../app/session.ts';
import { MOST_SHOWN, namedEntities } from '../entity-picker.tsx';
import type { FormField } from '../widget.ts';
import { widgetOf } from '../widgets/widgets.ts';
import { LibraryPart } from './library/library-part.tsx';
import { VariablesAt } from './variable-choices.ts';
import { VariablesForm } from './variables-form.tsx';
import { WidgetField } from './widget-field.tsx';

type Settings = Record<string, unknown>;

interface WidgetFormProps {
  item: BoardItem;
  world: KnownWorld;
  /** Those of the board. */
  variables: readonly BoardVariable[];
  /** `kind` names the field: typing in one is one step. */
  onChange: (recipe: (item: BoardItem) => void, kind: string) => void;
}

/** The settings of one widget, as its folder lists them. */
export function WidgetForm({ item, world, variables, onChange }: WidgetFormProps) {
  const { t } = useTranslation();
  const variablesAt = useMemo(() => [...variables, ...(item.variables ?? [])], [variables, item.variables]);
  const addons = visitorOf(useSignedIn())?.addons ?? [];
  const widget = widgetOf(item.kind);
  const settings = (settingsOf(item) ?? {}) as Settings;
  const set = (name: string) => (value: unknown) =>
    onChange((one) => {
      one.settings = { ...one.settings, [name]: value };
      if (value === undefined || value === '' || value === null) delete one.settings[name];
    }, name);
  return (
    <VariablesAt value={variablesAt}>
      <Stack gap="sm">
        <LibraryPart
          item={item}
          onLink={(library) =>
            onChange((one) => {
              if (library) one.library = library;
              else delete one.library;
            }, 'library')
          }
        />
        <TextInput
          label={t('boards.fields.title')}
          description={t('boards.titleHint')}
          value={item.title ?? t(`boards.widgets.${item.kind}`)}
          maxLength={200}
          onChange={({ currentTarget: { value } }) =>
            onChange((one) => {
              one.title = value;
            }, 'title')
          }
        />
        {(widget?.form ?? []).map((field) =>
          (field.when && !field.when(settings as never)) ||
          (field.addon && !addons.includes(field.addon)) ? null : (
            <WidgetField
              key={field.name}
              field={field as FormField<Record<string, unknown>>}
              value={settings[field.name]}
              given={item.settings?.[field.name]}
              world={world}
              onChange={set(field.name)}
            />
          ),
        )}
        <Select
          label={t('boards.variables.shows')}
          description={t('boards.variables.showsHelp')}
          placeholder={t('boards.variables.showsBoard')}
          data={[
            ...variablesAt.flatMap(({ name, kind }) =>
              kind === 'entity' ? [{ value: `{{${name}}}`, label: `{{${name}}}` }] : [],
            ),
            ...namedEntities(world.entities, world),
          ]}
          limit={MOST_SHOWN}
          value={item.entity ?? null}
          searchable
          clearable
          onChange={(value) =>
            onChange((one) => {
              if (value) one.entity = value;
              else delete one.entity;
            }, 'entity')
          }
        />
        <VariablesForm
          variables={item.variables ?? []}
          world={world}
          onChange={(variables) =>
            onChange((one) => {
              if (variables.length > 0) one.variables = variables;
              else delete one.variables;
            }, 'variables')
          }
        />
      </Stack>
    </VariablesAt>
  );
}
