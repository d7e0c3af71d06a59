import { type BoardItem, everyItem } from '@albedo/contract/boards/board-items';
import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../../app/session.ts';
import { boardQuery } from '../boards.queries.ts';

interface FreeVariablesProps {
  /** Which page, from 1. */
  number: number;
  board: string;
  value: readonly string[];
  onChange: (keys: string[]) => void;
}

/** Which variables of a page those in front of the display may choose; the others stay as they are. */
export function FreeVariables({ number, board, value, onChange }: FreeVariablesProps) {
  const { t } = useTranslation();
  const { data } = useQuery(boardQuery(useWorkgroup(), board));
  const variables = data?._id === board ? variablesIn(data.board.items, data.board.variables) : [];
  if (variables.length === 0) return null;
  return (
    <MultiSelect
      label={t('boards.display.freeVariables', { number })}
      description={t('boards.display.freeVariablesHelp')}
      placeholder={value.length === 0 ? t('boards.display.allFixed') : undefined}
      data={variables}
      value={[...value]}
      onChange={onChange}
    />
  );
}

/** Those of the dashboard, and behind the titles of their widgets those of widgets. */
const variablesIn = (items: BoardItem[], own: BoardItem['variables'] = []) => [
  ...own.map(({ name, title }) => ({ value: name, label: title || name })),
  ...everyItem(items).flatMap((item) =>
    (item.variables ?? []).map(({ name, title }) => ({
      value: `${item.id}.${name}`,
      label: `${item.title || item.kind} › ${title || name}`,
    })),
  ),
];
