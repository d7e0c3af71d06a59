import type { EnergyImport } from '@albedo/contract/energy/energy.schema';
import { Button, Skeleton, Table } from '@mantine/core';
import { IconArrowBackUp, IconFileImport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useIsUnbound } from '../../app/permissions.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './energy-config.module.css';
import { importsQuery, undoImport } from './energy-config.queries.ts';
import { ImportDialog } from './import-dialog.tsx';

/** Files of readings and budgets: sent, listed, and taken back. */
export function ImportSection({ wg }: { wg: string }) {
  const { t } = useTranslation();
  const isUnbound = useIsUnbound();
  const [isSending, setSending] = useState(false);
  const [undone, setUndone] = useState<EnergyImport | null>(null);
  const { data, error, refetch } = useQuery({ ...importsQuery(wg), enabled: isUnbound });
  if (!isUnbound) return null;
  return (
    <Section
      title={t('energyConfig.imports')}
      context={t('energyConfig.importsText')}
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFileImport size={14} />}
          onClick={() => setSending(true)}
        >
          {t('energyConfig.importFile')}
        </Button>
      }
    >
      {error && !data ? (
        <ErrorState title={t('energyConfig.importsFailed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={80} />
      ) : data.length === 0 ? (
        <p className={classes.note}>{t('energyConfig.noImports')}</p>
      ) : (
        <Imports imports={data} onUndo={setUndone} />
      )}
      {isSending ? <ImportDialog wg={wg} onClose={() => setSending(false)} /> : null}
      {undone ? (
        <ConfirmDialog
          confirm={confirmText(t('energyConfig.undo'), undone.name)}
          onConfirm={async () => {
            await undoImport(wg, undone.id);
            notifyDone(t('energyConfig.undone', { name: undone.name }));
          }}
          onClose={() => setUndone(null)}
        >
          {t('energyConfig.undoText', { name: undone.name, count: undone.readings })}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}

interface ImportsProps {
  imports: readonly EnergyImport[];
  onUndo: (one: EnergyImport) => void;
}

function Imports({ imports, onUndo }: ImportsProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  return (
    <WideTable label={t('energyConfig.imports')} leastPx={620}>
      <Table.Tbody>
        {imports.map((one) => (
          <Table.Tr key={one.id}>
            <Table.Td>{one.name}</Table.Td>
            <Table.Td>
              {t(`energyConfig.stored.${one.plan.kind}`, {
                count: one.readings,
                readings: formatWhole(one.readings),
              })}
            </Table.Td>
            <Table.Td>{t('energyConfig.importedBy', { by: one.by, ago: agoText(one.at, now) })}</Table.Td>
            <Table.Td className={classes.number}>
              {one.undoneAt === null ? (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  leftSection={<IconArrowBackUp size={14} />}
                  aria-label={t('energyConfig.undoOne', { name: one.name })}
                  onClick={() => onUndo(one)}
                >
                  {t('energyConfig.undo')}
                </Button>
              ) : (
                <span className={classes.note}>
                  {t('energyConfig.undoneAt', { ago: agoText(one.undoneAt, now) })}
                </span>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
