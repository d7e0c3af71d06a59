import { type BoardVariable, boardVariables, VARIABLE_KINDS } from '@albedo/contract/boards/variables.schema';
import {
  ActionIcon,
  Button,
  Group,
  MultiSelect,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../../app/entity-world-query.ts';
import { useLabels } from '../../../app/labels.ts';
import { MOST_SHOWN } from '../entity-picker.tsx';
import { variableChoices } from '../variable-bar.tsx';
import classes from '../variables.module.css';

interface VariablesFormProps {
  variables: readonly BoardVariable[];
  world: KnownWorld;
  onChange: (variables: BoardVariable[]) => void;
}

/** What whoever looks at a board or widget can choose. */
export function VariablesForm({ variables, world, onChange }: VariablesFormProps) {
  const { t } = useTranslation();
  const labels = useLabels();
  const set = (at: number, part: Partial<BoardVariable>) =>
    onChange(variables.map((one, i) => (i === at ? cleaned({ ...one, ...part }) : one)));
  const { error } = boardVariables.safeParse(variables);
  const faultOf = (at: number, name: string) =>
    error?.issues.find(({ path }) => Number(path[0]) === at && path[1] === name)?.message;
  return (
    <Stack gap={8}>
      <Text size="sm" fw={550}>
        {t('boards.variables.title')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('boards.variables.help', { hole: '{{name}}' })}
      </Text>
      {variables.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed.
        <fieldset key={at} className={classes.one} aria-label={one.title || one.name}>
          <div className={classes.pair}>
            <TextInput
              size="xs"
              label={t('boards.variables.name')}
              value={one.name}
              maxLength={40}
              error={faultOf(at, 'name')}
              onChange={(event) => set(at, { name: event.currentTarget.value })}
            />
            <Select
              size="xs"
              label={t('boards.variables.kind')}
              data={VARIABLE_KINDS.map((value) => ({ value, label: t(`boards.variables.kinds.${value}`) }))}
              value={one.kind}
              allowDeselect={false}
              onChange={(kind) =>
                kind &&
                set(at, { kind: kind as BoardVariable['kind'], options: undefined, initial: undefined })
              }
            />
          </div>
          {one.kind === 'list' ? (
            <TagsInput
              size="xs"
              label={t('boards.variables.options')}
              description={t('boards.variables.optionsHelp')}
              value={one.options ?? []}
              onChange={(options) => set(at, { options })}
              acceptValueOnBlur
            />
          ) : null}
          {one.kind === 'entity' ? (
            <MultiSelect
              size="xs"
              label={t('boards.variables.withLabel')}
              data={labels.map(({ id, name }) => ({ value: id, label: name }))}
              value={one.options ?? []}
              onChange={(options) => set(at, { options })}
              clearable
            />
          ) : null}
          <div className={classes.pair}>
            <TextInput
              size="xs"
              label={t('boards.variables.shown')}
              value={one.title ?? ''}
              maxLength={200}
              onChange={(event) => set(at, { title: event.currentTarget.value })}
            />
            <InitialField
              variable={one}
              choices={variableChoices(one, { ...world, labels }, t)}
              error={faultOf(at, 'initial')}
              onChange={(initial) => set(at, { initial })}
            />
          </div>
          <Group justify="flex-end">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('boards.variables.remove', { name: one.name })}
              onClick={() => onChange(variables.filter((_, i) => i !== at))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        </fieldset>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...variables, { name: nameFor(variables), kind: 'list' }])}
      >
        {t('boards.variables.add')}
      </Button>
    </Stack>
  );
}

interface InitialFieldProps {
  variable: BoardVariable;
  /** Null where anything can be typed. */
  choices: ReturnType<typeof variableChoices>;
  error: string | undefined;
  onChange: (initial: string) => void;
}

/** What a variable is until somebody chooses. */
function InitialField({ variable: { initial = '' }, choices, error, onChange }: InitialFieldProps) {
  const { t } = useTranslation();
  const common = { size: 'xs', label: t('boards.variables.initial'), error } as const;
  return choices ? (
    <Select
      {...common}
      data={choices}
      limit={MOST_SHOWN}
      comboboxProps={{ width: 260, position: 'bottom-end' }}
      value={initial || null}
      placeholder={choices[0]?.label}
      searchable
      clearable
      nothingFoundMessage={t('boards.noEntity')}
      onChange={(next) => onChange(next ?? '')}
    />
  ) : (
    <TextInput
      {...common}
      value={initial}
      maxLength={200}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** What is empty is not there. */
const cleaned = ({ name, kind, title, options, initial }: BoardVariable): BoardVariable => ({
  ...{ name, kind },
  ...(title ? { title } : {}),
  ...(options && options.length > 0 ? { options } : {}),
  ...(initial ? { initial } : {}),
});

function nameFor(variables: readonly BoardVariable[]): string {
  for (let number = variables.length + 1; ; number++)
    if (!variables.some(({ name }) => name === `variable${number}`)) return `variable${number}`;
}
