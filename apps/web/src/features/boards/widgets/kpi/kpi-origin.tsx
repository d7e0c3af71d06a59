import type { KpiQuestion } from '@albedo/contract/kpis/kpis.schema';
import { Anchor, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Lineage } from '../../../../app/figures/lineage.tsx';
import { LinesSkeleton } from '../../../../ui/skeletons.tsx';
import { ErrorState } from '../../../../ui/states.tsx';
import { kpiAnswerQuery, kpisQuery } from '../../../kpis/kpis.queries.ts';
import { useBoard } from '../../board-context.ts';
import { OriginIcon } from '../number/origin-icon.tsx';
import type { NamedKpi } from './use-kpi.ts';

export interface OriginProps {
  kpi: NamedKpi;
  question: KpiQuestion;
  title: string;
}

/** Opens where the figure comes from. */
export function KpiOriginButton(props: OriginProps) {
  const [isOpen, setOpen] = useState(false);
  const { isDisplay, isEditing } = useBoard();
  if (isDisplay || isEditing) return null;
  return (
    <>
      <OriginIcon title={props.title} onOpen={() => setOpen(true)} />
      <KpiOriginDialog of={isOpen ? props : null} onClose={() => setOpen(false)} />
    </>
  );
}

/** Where a figure comes from: definition, inputs, what was left out, whose days, and when it was computed. */
export function KpiOriginDialog({ of, onClose }: { of: OriginProps | null; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={of !== null}
      onClose={onClose}
      size="xl"
      title={of?.title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {of ? <Origin {...of} /> : null}
    </Modal>
  );
}

function Origin({ kpi, question }: OriginProps) {
  const { t } = useTranslation();
  const { wg } = useBoard();
  const { _id, version } = kpi;
  const { data: all } = useQuery(kpisQuery(wg));
  const definition = all?.find((one) => one._id === _id);
  const { data, error, refetch } = useQuery(
    kpiAnswerQuery(wg, { _id, version }, { ...question, detail: true }),
  );
  if (error)
    return <ErrorState title={t('boards.kpi.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data || !definition) return <LinesSkeleton lines={8} />;
  return (
    <>
      <Lineage wg={wg} kpi={definition} answer={data} />
      <Anchor
        component={Link}
        to="/kpis/$kpiId"
        params={{ kpiId: _id } as never}
        size="sm"
        mt="sm"
        display="block"
      >
        {t('boards.kpi.open', { name: kpi.name })}
      </Anchor>
    </>
  );
}
