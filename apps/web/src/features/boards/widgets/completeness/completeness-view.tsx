import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { askCsv } from '../../../../ui/csv/csv-ask.ts';
import { LevelIcon } from '../../../../ui/status/level-icon.tsx';
import { formatCount, formatDecimal } from '../../../../ui/units/numbers.ts';
import { completenessQuery, verdictOf } from '../../../completeness/completeness.queries.ts';
import { useBoard } from '../../board-context.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import { useDevicesOfRows } from '../devices/use-devices.ts';
import listClasses from '../list.module.css';
import { SaveButton } from '../save-button.tsx';

/** Devices that one widget asks about, and how often, ms. */
const [MOST, EVERY_MS] = [40, 60_000];
const ORDER = { danger: 0, warning: 1, unknown: 2, ok: 3 } as const;

/** How much of what devices captured is stored; where something is missing it says so first. */
export function CompletenessView({ settings, title }: WidgetProps<SettingsOf<'completeness'>>) {
  const { t } = useTranslation();
  const { wg, isDisplay } = useBoard();
  const devices = useDevicesOfRows(settings.rows, settings.label).slice(0, MOST);
  const answers = useQueries({
    queries: devices.map(({ deviceId }) => ({
      ...completenessQuery(wg, deviceId),
      enabled: !isDisplay,
      refetchInterval: EVERY_MS,
      staleTime: EVERY_MS,
    })),
  });
  if (isDisplay) return <WidgetNote text={t('boards.notOnDisplays')} />;
  if (devices.length === 0) return <WidgetNote text={t('boards.devices.none')} />;
  const failed = answers.find(({ error }) => error);
  const rows = devices
    .flatMap(({ deviceId, entity }, at) => {
      const ledger = answers[at]?.data;
      return ledger ? [{ deviceId, entity, ledger, ...verdictOf(ledger, true) }] : [];
    })
    .toSorted((a, b) => ORDER[a.mark] - ORDER[b.mark]);
  if (rows.length === 0)
    return failed ? (
      <WidgetFailure error={failed.error} onRetry={() => void failed.refetch()} />
    ) : (
      <WidgetSkeleton />
    );
  const captured = rows.reduce((sum, { ledger }) => sum + ledger.captured, 0);
  const stored = rows.reduce((sum, { ledger }) => sum + Math.min(ledger.stored, ledger.captured), 0);
  const share = captured === 0 ? null : (100 * stored) / captured;
  const save = () => {
    const titles = [t('boards.entity'), t('boards.completeness.captured'), t('boards.completeness.stored')];
    const table = {
      columns: titles.map((one) => ({ title: one })),
      rows: rows.map(({ entity, ledger }) => [entity.name, ledger.captured, ledger.stored]),
    };
    askCsv({ title, table: () => table });
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={listClasses.scroll} tabIndex={0}>
      <SaveButton title={title} onSave={save} />
      {share === null ? null : (
        <div className={listClasses.sum}>
          <span>
            {t('boards.completeness.share', {
              // Never rounded up to all of it.
              percent: formatDecimal(Math.floor(share * 100) / 100, 2),
              stored: formatCount(stored),
              captured: formatCount(captured),
            })}
          </span>
        </div>
      )}
      <ul className={listClasses.list}>
        {rows.map(({ deviceId, entity, mark, text }) => (
          <li key={deviceId}>
            <LevelIcon mark={mark} size={13} />
            <Link to="/devices/$deviceId" params={{ deviceId }} className={listClasses.entity}>
              {entity.name}
            </Link>
            <span className={listClasses.said} data-level={mark}>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
