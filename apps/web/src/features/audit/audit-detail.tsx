import type { AuditRow } from '@albedo/contract/audit/audit.schema';
import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatInstant, offsetLabel } from '../../ui/time-range/zoned-time.ts';
import classes from './audit.module.css';
import { sentenceOf } from './audit-sentence.ts';
import { changesOf } from './change-text.ts';

/** All of one entry. */
export function AuditDetail({ row, zone, onClose }: { row: AuditRow; zone: string; onClose: () => void }) {
  const { t } = useTranslation();
  const facts = [
    ['event', sentenceOf(t, row)],
    ['time', `${formatInstant(row.at, zone)} (${offsetLabel(row.at, zone)})`],
    ['by', row.by ?? t('audit.system')],
    ['address', row.address],
    ['controller', row.controller],
    ['action', row.action],
    ['entity', row.entity],
    ['attribute', row.attribute],
    ['device', row.deviceName === null ? row.device : `${row.deviceName} (${row.device})`],
    ['status', t(`audit.statuses.${row.status}`)],
  ] as const;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('audit.entry')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <dl className={classes.facts}>
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name} className={classes.fact}>
              <dt>{t(`audit.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
        {changesOf(row).map((change) => (
          <div key={change.part} className={classes.fact}>
            <dt>{change.part ?? t('audit.change')}</dt>
            <dd>
              {change.old === null ? null : <del className={classes.old}>{change.old}</del>}
              {change.new === null ? null : <ins className={classes.new}>{change.new}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
