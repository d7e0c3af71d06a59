import { kpiValueName } from '@albedo/contract/kpis/kpis.schema';
import { ActionIcon, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface ValueNameFieldProps {
  /** Names that values have already. */
  taken: readonly string[];
  onAdd: (name: string) => void;
  mt?: number;
}

/** The name of a further value; Enter or the button adds it. */
export function ValueNameField({ taken, onAdd, mt }: ValueNameFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const isGood = kpiValueName.safeParse(name).success && !taken.includes(name);
  const add = () => {
    if (!isGood) return;
    onAdd(name);
    setTyped('');
  };
  return (
    <TextInput
      {...(mt === undefined ? {} : { mt })}
      label={t('kpis.addValue')}
      description={t('kpis.addValueHelp')}
      value={typed}
      error={name === '' || isGood ? null : t('kpis.valueNameBad')}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        // Enter in an empty field is for the form.
        if (event.key !== 'Enter' || name === '') return;
        event.preventDefault();
        add();
      }}
      rightSection={
        <ActionIcon
          size={28}
          variant="default"
          aria-label={t('kpis.addValue')}
          disabled={!isGood}
          onClick={add}
        >
          <IconPlus size={16} />
        </ActionIcon>
      }
    />
  );
}
