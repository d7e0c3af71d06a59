import type { Commissioning } from '@albedo/contract/commissioning/commissioning.schema';
import { commissioningPlan } from '@albedo/contract/commissioning/commissioning.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { NumberInput, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { faultsOf } from '../../app/faults.ts';
import { knownLanguage } from '../../app/language.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import classes from './commissioning.module.css';
import { buildPlant, saveCommissioning } from './commissioning.queries.ts';
import { StepButtons } from './step-buttons.tsx';

/** The plant gets a name, and its place in the tree with a board. */
export function PlantStep({ setup, device }: { setup: Commissioning; device: Device }) {
  const { t, i18n } = useTranslation();
  const wg = useWorkgroup();
  const mayBuild = usePermission('coordinate');
  const [plan, setPlan] = useState({ ...setup.plan, plantName: setup.plan.plantName || device.name });
  const faults = faultsOf(commissioningPlan.safeParse(plan).error, ['plantName', 'peakKWp']);
  if (!mayBuild)
    return (
      <Section title={t('commissioning.plant.title')}>
        <p className={classes.lead}>{t('commissioning.plant.ask')}</p>
        <Link to="/devices/$deviceId/$tab" params={{ deviceId: device.id, tab: 'general' }}>
          {t('commissioning.done.device')}
        </Link>
      </Section>
    );
  return (
    <Section title={t('commissioning.plant.title')}>
      <div className={classes.form}>
        <p className={classes.lead}>{t('commissioning.plant.text')}</p>
        <TextInput
          label={t('commissioning.plant.name')}
          value={plan.plantName}
          error={faults.plantName}
          maxLength={200}
          onChange={(event) => setPlan({ ...plan, plantName: event.currentTarget.value })}
        />
        <NumberInput
          className={classes.narrow}
          label={t('commissioning.plant.peak')}
          description={t('commissioning.plant.peakHelp')}
          suffix=" kWp"
          placeholder={t('commissioning.plant.peakUnit')}
          min={0}
          hideControls
          value={plan.peakKWp ?? ''}
          error={faults.peakKWp}
          onChange={(value) => setPlan({ ...plan, peakKWp: Number(value) > 0 ? Number(value) : null })}
        />
      </div>
      <StepButtons
        setup={setup}
        back="confirm"
        next={{
          label: t('commissioning.plant.go'),
          isDisabled: Object.keys(faults).length > 0 || plan.plantName.trim() === '',
          go: async () => {
            await saveCommissioning(wg, setup.id, { step: 'plant', plan });
            await buildPlant(wg, setup.id, knownLanguage(i18n.language) ?? 'en');
          },
        }}
      />
    </Section>
  );
}
