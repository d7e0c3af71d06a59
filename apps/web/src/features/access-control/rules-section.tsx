import type { AccessRule } from '@albedo/contract/access-control/access-control.schema';
import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { contains } from '../../ui/data-table/find-rows.ts';
import { TableSearch } from '../../ui/data-table/table-search.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatDay } from '../../ui/time-range/zoned-time.ts';
import classes from './access-control.module.css';
import { accessRulesQuery, removeRule } from './access-control.queries.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { RuleLine } from './rule-line.tsx';
import { ruleSentence } from './rule-sentence.ts';
import { usePrincipals } from './use-principals.ts';

/** Rules that are shown before somebody asks for all; what stands below them is not pushed out of reach. */
const SHOWN = 15;
/** From so many on there is a search. */
const SEARCHABLE = 5;

/** The rules of the workgroup, each as a sentence. */
export function RulesSection() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const principals = usePrincipals();
  const { data: rules, error, refetch } = useQuery(accessRulesQuery(wg));
  const [open, setOpen] = useState<'new' | { action: 'change' | 'remove'; rule: AccessRule } | null>(null);
  const close = () => setOpen(null);
  const [q, setQ] = useState('');
  const [isWhole, setWhole] = useState(false);
  const found = rules?.filter((rule) =>
    contains(`${ruleSentence(t, rule, principals)} ${rule.createdBy}`, q),
  );
  const shown = isWhole || q.trim() !== '' ? found : found?.slice(0, SHOWN);
  const isRemoving = open !== null && open !== 'new' && open.action === 'remove';
  return (
    <Section
      isFlush
      title={t('accessControl.title')}
      context={t('accessControl.context')}
      actions={
        <>
          {rules && rules.length > SEARCHABLE ? (
            <TableSearch label={t('accessControl.search')} q={q} setQ={setQ} />
          ) : null}
          <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
            {t('accessControl.new')}
          </Button>
        </>
      }
    >
      {error ? (
        <ErrorState title={t('accessControl.failed')} error={error} onRetry={() => void refetch()} />
      ) : !rules ? (
        <TableSkeleton rows={3} />
      ) : rules.length === 0 ? (
        <EmptyState title={t('accessControl.none')} text={t('accessControl.noneText')} />
      ) : found?.length === 0 ? (
        <EmptyState title={t('table.none')} text={t('table.noneText', { text: q.trim() })} />
      ) : (
        <ul className={classes.list}>
          {shown?.map((rule) => (
            <RuleLine
              key={rule._id}
              rule={rule}
              second={t('accessControl.madeBy', {
                by: rule.createdBy,
                day: formatDay(rule.createdAt, userZone()),
              })}
              actions={
                <RowMenu
                  label={t('accessControl.menu', { rule: ruleSentence(t, rule, principals) })}
                  actions={[
                    {
                      title: t('accessControl.edit'),
                      icon: <IconPencil size={16} />,
                      onClick: () => setOpen({ action: 'change', rule }),
                    },
                    {
                      title: t('accessControl.remove'),
                      icon: <IconTrash size={16} />,
                      isDangerous: true,
                      onClick: () => setOpen({ action: 'remove', rule }),
                    },
                  ]}
                />
              }
            />
          ))}
        </ul>
      )}
      {found && shown && found.length > shown.length ? (
        <div className={classes.whole}>
          <Button variant="subtle" onClick={() => setWhole(true)}>
            {t('accessControl.showAll', { count: found.length })}
          </Button>
        </div>
      ) : null}
      {open !== null && !isRemoving ? (
        <RuleDialog rule={open === 'new' ? null : open.rule} onClose={close} />
      ) : null}
      {isRemoving ? (
        <ConfirmDialog
          onClose={close}
          onConfirm={async () => {
            await removeRule(wg, open.rule._id);
            notifyDone(t('accessControl.removed'));
          }}
        >
          {t('accessControl.removeText', { rule: ruleSentence(t, open.rule, principals) })}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}
