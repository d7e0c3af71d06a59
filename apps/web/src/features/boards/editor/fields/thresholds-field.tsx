import type { Threshold } from '@albedo/contract/boards/widgets/parts';
import { ActionIcon, Button, NumberInput, Select, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '../editor.module.css';

/** From which values on something is fine, or bad. */
export function ThresholdsField({
  value,
  onChange,
}: {
  value: readonly Threshold[];
  onChange: (all: Threshold[]) => void;
}) {
  const { t } = useTranslation();
  const set = (at: number, change: Partial<Threshold>) =>
    onChange(value.map((one, i) => (i === at ? { ...one, ...change } : one)));
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {t('boards.fields.thresholds')}
      </Text>
      {value.map(({ from, level }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no names of their own.
        <div key={at} className={classes.row}>
          <NumberInput
            aria-label={t('boards.from')}
            prefix="≥ "
            value={from}
            onChange={(next) => typeof next === 'number' && set(at, { from: next })}
          />
          <Select
            aria-label={t('boards.level')}
            data={(['ok', 'warning', 'danger'] as const).map((one) => ({
              value: one,
              label: t(`boards.options.${one}`),
            }))}
            value={level}
            allowDeselect={false}
            onChange={(next) => next && set(at, { level: next as Threshold['level'] })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            onClick={() => onChange(value.filter((_, i) => i !== at))}
            aria-label={t('boards.removeThreshold')}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...value, { from: 0, level: 'warning' }])}
      >
        {t('boards.addThreshold')}
      </Button>
    </Stack>
  );
}
