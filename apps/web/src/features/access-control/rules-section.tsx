import type { AccessRule } from '@albedo/contract/access-control/access-control.schema';
import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { useList } from '../../app/list/use-list.ts';
import { useRowActions } from '../../app/list/use-row-actions.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { contains } from '../../ui/data-table/find-rows.ts';
import { TableSearch } from '../../ui/data-table/table-search.tsx';
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

const idOf = ({ _id }: AccessRule): string => _id;

/** The rules of the workgroup, each as a sentence. */
export function RulesSection() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const principals = usePrincipals();
  const list = useList({ query: accessRulesQuery(wg) });
  const { all: rules } = list;
  const { q, setQ } = list.address;
  const [isCreating, setCreating] = useState(false);
  const menu = useMemo(
    () => ({
      label: (rule: AccessRule) => t('accessControl.menu', { rule: ruleSentence(t, rule, principals) }),
      actions: (rule: AccessRule): RowAction<AccessRule>[] => [
        {
          id: 'change',
          title: t('accessControl.edit'),
          icon: <IconPencil size={16} />,
          dialog: (row, { close }) => <RuleDialog rule={row} onClose={close} />,
        },
        {
          id: 'remove',
          title: t('accessControl.remove'),
          icon: <IconTrash size={16} />,
          isDangerous: true,
          ask: { text: t('accessControl.removeText', { rule: ruleSentence(t, rule, principals) }) },
          run: async () => {
            await removeRule(wg, rule._id);
            notifyDone(t('accessControl.removed'));
          },
        },
      ],
    }),
    [t, wg, principals],
  );
  const { menuOf, dialogs } = useRowActions({ menu, rows: rules, rowId: idOf });
  const [isWhole, setWhole] = useState(false);
  const found = rules?.filter((rule) =>
    contains(`${ruleSentence(t, rule, principals)} ${rule.createdBy}`, q),
  );
  const shown = isWhole || q.trim() !== '' ? found : found?.slice(0, SHOWN);
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
          <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
            {t('accessControl.new')}
          </Button>
        </>
      }
    >
      {list.error ? (
        <ErrorState title={t('accessControl.failed')} error={list.error} onRetry={list.retry} />
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
              actions={menuOf(rule)}
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
      {isCreating ? <RuleDialog rule={null} onClose={() => setCreating(false)} /> : null}
      {dialogs}
    </Section>
  );
}
