import { type Escalation, newEscalation } from '@albedo/contract/notifications/notifications.schema';
import { ActionIcon, Button, MultiSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import rows from '../../ui/row-list.module.css';
import { localeTag } from '../../ui/units/locale.ts';
import classes from './notifications.module.css';
import {
  channelsQuery,
  escalationsQuery,
  peopleQuery,
  removeEscalation,
  rotasQuery,
  saveEscalation,
} from './notifications.queries.ts';
import { optionsOf } from './rota-dialog.tsx';
import { SetupList } from './setup-list.tsx';

type Input = z.input<typeof newEscalation>;
type Step = Input['steps'][number];

/** Whom an incident reaches as long as nobody acknowledges it. */
export function Escalations() {
  const wg = useWorkgroup();
  return (
    <SetupList
      kind="escalations"
      query={escalationsQuery(wg)}
      row={(one) => <EscalationRow escalation={one} />}
      dialog={(one, close) => <EscalationDialog escalation={one} onClose={close} />}
      remove={({ _id }) => removeEscalation(wg, _id)}
    />
  );
}

function EscalationRow({ escalation }: { escalation: Escalation }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: people = [] } = useQuery(peopleQuery(wg));
  const { data: channels = [] } = useQuery(channelsQuery(wg));
  const { data: rotas = [] } = useQuery(rotasQuery(wg));
  const names = new Map([...people, ...channels, ...rotas].map(({ _id, name }) => [_id, name]));
  const list = new Intl.ListFormat(localeTag());
  const textOf = ({
    afterMinutes: minutes,
    rotas: onCall,
    users,
    channels: ways,
  }: Escalation['steps'][number]) => {
    const ids = [...onCall, ...users, ...ways];
    const who = list.format(ids.map((id) => names.get(id) ?? t('notifications.escalations.gone')));
    return minutes === 0
      ? t('notifications.escalations.first', { who })
      : t('notifications.escalations.step', { minutes, who });
  };
  return (
    <>
      <div className={rows.name}>{escalation.name}</div>
      <ol className={classes.steps}>
        {escalation.steps.map((step) => (
          <li key={step.afterMinutes}>{textOf(step)}</li>
        ))}
      </ol>
      {escalation.repeatMinutes === null ? null : (
        <div className={rows.words}>
          {t('notifications.escalations.repeats', { minutes: escalation.repeatMinutes })}
        </div>
      )}
    </>
  );
}

function EscalationDialog({ escalation, onClose }: { escalation: Escalation | null; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: newEscalation,
    initial: (escalation
      ? { name: escalation.name, steps: escalation.steps, repeatMinutes: escalation.repeatMinutes }
      : { name: '', steps: [{ afterMinutes: 0 }], repeatMinutes: null }) as Input,
    refusals: { 'escalation.name_taken': 'name' },
    send: async (wanted) => {
      await saveEscalation(wg, escalation?._id ?? null, wanted);
      notifyDone(t('notifications.saved', { name: wanted.name }));
      onClose();
    },
  });
  const { steps } = values;
  const change = (at: number, part: Partial<Step>) =>
    set({ steps: steps.map((one, index) => (index === at ? { ...one, ...part } : one)) });
  const isRepeated = values.repeatMinutes != null;
  return (
    <FormDialog
      {...dialog}
      size="lg"
      title={
        escalation
          ? t('notifications.editTitle', { name: escalation.name })
          : t('notifications.escalations.new')
      }
      failure={dialog.failure ?? faultOf('steps') ?? null}
      onClose={onClose}
    >
      <TextInput {...field('name')} data-autofocus label={t('notifications.name')} maxLength={80} />
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are known by their place.
        <fieldset key={at} className={classes.step}>
          <div className={classes.stepHead}>
            <NumberInput
              label={t('notifications.escalations.after', { number: at + 1 })}
              suffix=" min"
              min={0}
              max={2880}
              allowDecimal={false}
              value={step.afterMinutes}
              onChange={(minutes) => change(at, { afterMinutes: Number(minutes) })}
            />
            {steps.length > 1 ? (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('notifications.escalations.dropStep', { number: at + 1 })}
                onClick={() => set({ steps: steps.filter((_, index) => index !== at) })}
              >
                <IconTrash size={16} />
              </ActionIcon>
            ) : null}
          </div>
          <StepRecipients step={step} onChange={(part) => change(at, part)} />
        </fieldset>
      ))}
      <Button
        size="xs"
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={16} />}
        onClick={() => set({ steps: [...steps, { afterMinutes: (steps.at(-1)?.afterMinutes ?? 0) + 15 }] })}
      >
        {t('notifications.escalations.addStep')}
      </Button>
      <Switch
        label={t('notifications.escalations.repeat')}
        checked={isRepeated}
        onChange={(event) => set({ repeatMinutes: event.currentTarget.checked ? 30 : null })}
      />
      {isRepeated ? (
        <NumberInput
          {...field('repeatMinutes')}
          label={t('notifications.escalations.repeatAfter')}
          suffix=" min"
          min={5}
          max={1440}
          allowDecimal={false}
        />
      ) : null}
    </FormDialog>
  );
}

function StepRecipients({ step, onChange }: { step: Step; onChange: (part: Partial<Step>) => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: people = [] } = useQuery(peopleQuery(wg));
  const { data: channels = [] } = useQuery(channelsQuery(wg));
  const { data: rotas = [] } = useQuery(rotasQuery(wg));
  const named = (all: readonly { _id: string; name: string }[]) =>
    all.map(({ _id, name }) => ({ value: _id, label: name }));
  return (
    <>
      <MultiSelect
        label={t('notifications.rotas.title')}
        searchable
        data={named(rotas)}
        value={step.rotas ?? []}
        onChange={(ids) => onChange({ rotas: ids })}
      />
      <MultiSelect
        label={t('notifications.people')}
        searchable
        data={optionsOf(people)}
        value={step.users ?? []}
        onChange={(ids) => onChange({ users: ids })}
      />
      <MultiSelect
        label={t('notifications.channels.title')}
        searchable
        data={named(channels)}
        value={step.channels ?? []}
        onChange={(ids) => onChange({ channels: ids })}
      />
    </>
  );
}
