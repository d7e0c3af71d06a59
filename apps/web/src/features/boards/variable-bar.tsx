import { type ChoiceWorld, choicesOf } from '@albedo/contract/boards/variables';
import type { BoardVariable } from '@albedo/contract/boards/variables.schema';
import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { TFunction } from 'i18next';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../app/entity-world-query.ts';
import { useBoard } from './board-context.ts';
import { MOST_SHOWN, namedEntities } from './entity-picker.tsx';
import { useBindings } from './use-bindings.ts';
import classes from './variables.module.css';

/** Loaded where a board has a number to type: most have none. */
const NumberInput = lazy(async () => ({ default: (await import('./number-input.ts')).NumberInput }));

/** After so long without another key what is typed counts, ms. */
const TYPED_MS = 400;

interface VariableBarProps {
  variables: readonly BoardVariable[];
  /** Of a widget: its id and a full stop. */
  scope?: string;
  isSmall?: boolean;
}

/** What can be chosen of a board or a widget. */
export function VariableBar({ variables, scope = '', isSmall = false }: VariableBarProps) {
  const board = useBoard();
  const { choices, isEditing } = board;
  const bindings = useBindings(variables, choices.chosen, board, scope);
  if (variables.length === 0) return null;
  return (
    <div className={classes.bar} data-small={isSmall}>
      {variables.map((one) => (
        <VariableField
          key={`${one.name} ${one.kind}`}
          variable={one}
          scope={scope}
          value={bindings.get(one.name)?.value ?? ''}
          isDisabled={isEditing}
          onChoose={(value) => choices.choose(scope + one.name, value)}
        />
      ))}
    </div>
  );
}

interface VariableFieldProps {
  variable: BoardVariable;
  scope: string;
  value: string;
  isDisabled: boolean;
  onChoose: (value: string) => void;
}

function VariableField({ variable, scope, value, isDisabled, onChoose }: VariableFieldProps) {
  const { t } = useTranslation();
  const board = useBoard();
  const label = variable.title || variable.name;
  const options = variableChoices(variable, board, t, scope + variable.name);
  if (!options) return <TypedField {...{ variable, value, isDisabled, onChoose, label }} />;
  return (
    <Select
      size="xs"
      label={label}
      data={options}
      limit={MOST_SHOWN}
      value={value || null}
      searchable={options.length > 8}
      allowDeselect={false}
      disabled={isDisabled}
      nothingFoundMessage={t('boards.noEntity')}
      onChange={(next) => next && onChoose(next)}
    />
  );
}

/** What can be chosen of a variable, in words; null where anything can be typed. */
export function variableChoices(
  variable: BoardVariable,
  of: ChoiceWorld & Pick<KnownWorld, 'byId'>,
  t: TFunction,
  key: string = variable.name,
): { value: string; label: string }[] | null {
  const choices = choicesOf(variable, of, key);
  if (!choices) return null;
  if (variable.kind !== 'entity')
    return choices.map(({ value, text }) => ({
      value,
      label: variable.kind === 'interval' ? t(`boards.options.${value}`) : text,
    }));
  const entities = choices.map(({ value, text }) => ({
    ...{ _id: value, name: text },
    parent: of.byId.get(value)?.parent ?? null,
  }));
  return namedEntities(entities, of);
}

function TypedField({
  variable: { kind },
  value,
  isDisabled,
  onChoose,
  label,
}: Omit<VariableFieldProps, 'scope'> & { label: string }) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  const tell = useDebouncedCallback(onChoose, TYPED_MS);
  const take = (next: string) => {
    setTyped(next);
    tell(next);
  };
  const common = { size: 'xs', label, disabled: isDisabled } as const;
  return kind === 'number' ? (
    <Suspense fallback={<TextInput {...common} value={typed} disabled />}>
      <NumberInput {...common} value={typed} onChange={(next) => take(String(next))} />
    </Suspense>
  ) : (
    <TextInput
      {...common}
      value={typed}
      maxLength={200}
      onChange={(event) => take(event.currentTarget.value)}
    />
  );
}
