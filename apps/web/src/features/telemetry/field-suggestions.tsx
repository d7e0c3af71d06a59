import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ChartLine } from '../../app/series/chart-lines.ts';
import { EmptyState } from '../../ui/states.tsx';
import type { Suggestion } from './suggestions.ts';

interface SuggestionsProps {
  offers: readonly Suggestion[];
  onChoose: (lines: ChartLine[]) => void;
}

/** Everything was taken away: what is worth drawing, ready to press. */
export function FieldSuggestions({ offers, onChoose }: SuggestionsProps) {
  const { t } = useTranslation();
  return (
    <EmptyState title={t('telemetry.data.choose')} text={t('telemetry.data.chooseText')}>
      <Group justify="center" gap={8} mt={12}>
        {offers.map((offer) => (
          <Button key={offer.label} variant="default" size="sm" onClick={() => onChoose(offer.lines)}>
            {offer.label}
          </Button>
        ))}
      </Group>
    </EmptyState>
  );
}
