import { Chip, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Label } from '../labels.ts';

interface LabelFilterProps {
  /** Labels in use; without any the filter is hidden. */
  labels: readonly Label[];
  /** Id of the chosen label; null shows all sources. */
  value: string | null;
  onChange: (label: string | null) => void;
}

/** One press shows only the sources with a label, another press all of them again. */
export function LabelFilter({ labels, value, onChange }: LabelFilterProps) {
  const { t } = useTranslation();
  if (labels.length === 0) return null;
  return (
    <Group gap={6} role="group" aria-label={t('telemetry.picker.labels')}>
      {labels.map(({ id, name }) => (
        <Chip key={id} size="xs" checked={value === id} onChange={(isOn) => onChange(isOn ? id : null)}>
          {name}
        </Chip>
      ))}
    </Group>
  );
}
