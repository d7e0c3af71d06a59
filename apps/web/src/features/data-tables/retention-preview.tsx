import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { Failure } from '../../ui/failure.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { LinesSkeleton } from '../../ui/skeletons.tsx';
import { formatDay } from '../../ui/time-range/zoned-time.ts';
import { formatCount } from '../../ui/units/numbers.ts';
import { retentionPreviewQuery } from './data-tables.queries.ts';

interface RetentionPreviewProps {
  /** How many days would be kept; null keeps everything. */
  days: number | null;
  /** One table, or all without a retention of their own. */
  table?: string;
}

/** What the next night would delete, before anybody saves it. */
export function RetentionPreview({ days, table }: RetentionPreviewProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const isGood = days !== null && Number.isInteger(days) && days >= 1 && days <= 36_500;
  const { data, error } = useQuery({
    ...retentionPreviewQuery(wg, { days: days ?? 1, ...(table === undefined ? {} : { table }) }),
    enabled: isGood,
  });
  if (!isGood) return null;
  if (error) return <Failure text={messageOf(error)} />;
  if (!data) return <LinesSkeleton lines={2} />;
  if (data.events === 0)
    return (
      <Text size="sm" role="status">
        {t('dataTables.goes.nothing')}
      </Text>
    );
  const tables = data.tables.map(({ table: name, events }) => `${name} (${formatCount(events)})`);
  return (
    <Text size="sm" role="status">
      {t('dataTables.goes.events', {
        count: data.events,
        number: formatCount(data.events),
        day: formatDay(data.before, 'UTC'),
        months: t('dataTables.goes.months', { count: data.months.length }),
      })}
      {table === undefined
        ? ` ${t('dataTables.goes.tables', { tables: `${tables.slice(0, 5).join(', ')}${tables.length > 5 ? ' …' : ''}` })}`
        : ''}
    </Text>
  );
}
