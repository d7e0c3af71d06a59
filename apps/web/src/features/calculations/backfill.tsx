import type { Calculation } from '@albedo/contract/calculations/calculations.schema';
import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWork } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { Section } from '../../ui/section.tsx';
import { formatDay } from '../../ui/time-range/zoned-time.ts';
import { backfill } from './calculations.queries.ts';
import { stateText } from './state-text.ts';

const DAY_MS = 86_400_000;
const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Computes the past from a day on. */
export function Backfill({ wg, calculation }: { wg: string; calculation: Calculation }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const [from, setFrom] = useState(() => dayText(now - 30 * DAY_MS));
  const [failure, setFailure] = useState<string | null>(null);
  const { isWorking, work } = useWork((error) => setFailure(messageOf(error)));
  const at = Date.parse(from);
  const begin = () =>
    work(async () => {
      setFailure(null);
      await backfill(wg, calculation._id, { from: at, to: Date.now() });
      notifyDone(t('calculations.backfillBegun', { name: calculation.name }));
    });
  const since = formatDay(calculation.since, Intl.DateTimeFormat().resolvedOptions().timeZone);
  return (
    <Section
      title={t('calculations.backfill')}
      context={`${t('calculations.since', { day: since })} ${stateText(t, calculation, now)}`}
    >
      <Group align="end" gap="sm">
        <TextInput
          type="date"
          label={t('calculations.backfillFrom')}
          value={from}
          max={dayText(now)}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <Button
          variant="default"
          loading={isWorking}
          disabled={Number.isNaN(at) || at >= now || !calculation.isActive}
          onClick={() => void begin()}
        >
          {t('calculations.backfillBegin')}
        </Button>
      </Group>
      <Failure text={failure} />
    </Section>
  );
}
