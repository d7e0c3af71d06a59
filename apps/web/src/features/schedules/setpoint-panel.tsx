import type { Device } from '@albedo/contract/devices/devices.schema';
import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import { Anchor, Loader, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { Section } from '../../ui/section.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { BoundsDialog } from './bounds-dialog.tsx';
import { boundsText } from './bounds-text.ts';
import type { Holding } from './holding.ts';
import { followText, holdingText, kindText, nameText } from './holding-text.ts';
import { InverterTable } from './inverter-table.tsx';
import { OverrideDialog } from './override-dialog.tsx';
import { ReleaseDialog } from './release-dialog.tsx';
import classes from './schedules.module.css';
import { StepChart } from './step-chart.tsx';
import { endOf, stepsOf } from './steps.ts';
import { dayAround } from './time-ticks.ts';
import { TrialBanner } from './trial-banner.tsx';
import { useWhyNot } from './use-controlled.ts';
import { axisOf, isCurtailing, valueText } from './values.ts';
import { WhyButton } from './why-button.tsx';

interface SetpointPanelProps {
  device: Device;
  holding: Holding;
  zone: string;
}

type Opened = 'limit' | 'stop' | 'release' | 'bounds';

/** One setpoint: a number and a sentence, what can be done at once, its day, and what each inverter made of it. */
export function SetpointPanel({ device, holding, zone }: SetpointPanelProps) {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const whyNoRight = useWhyNot();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const { setpoint, value, current, pending } = holding;
  const { kind } = setpoint;
  const whyNot =
    whyNoRight ??
    (setpoint.type === 'fixed' ? t('schedules.isFixed') : null) ??
    (setpoint.isEnabled ? null : t('schedules.isOff')) ??
    (device.facts.online ? null : t('schedules.offline', { name: device.name }));
  const tail = followText(t, holding);
  const isHolding = value !== null && value !== '';
  return (
    <Section
      title={kindText(t, kind)}
      context={setpoint.path}
      actions={
        <WhyButton
          size="xs"
          variant="subtle"
          color="gray"
          why={whyNoRight}
          onClick={() => setOpened('bounds')}
        >
          {t('schedules.bounds.edit')}
        </WhyButton>
      }
    >
      <div className={classes.panel}>
        <div className={classes.headline}>
          {isHolding ? (
            <div className={classes.big} data-is-limit={isCurtailing(kind, value)}>
              {valueText(t, kind, value)}
            </div>
          ) : null}
          <div className={classes.sentence} data-is-alone={!isHolding}>
            <p role="status">
              {[holdingText(t, holding, zone, now), tail].filter(Boolean).join(' · ')}
              {holding.notFollowed > 0 ? (
                <span className={classes.alarm}>
                  <LevelIcon mark="danger" />
                  {t('schedules.notFollow', { count: holding.notFollowed })}
                </span>
              ) : null}
            </p>
            {current ? (
              <p className={classes.source}>
                {t(`schedules.current.${current.origin}`)}{' '}
                <Anchor
                  underline="always"
                  component={Link}
                  to="/control/devices/$deviceId/$schedule"
                  params={{ deviceId: device.id, schedule: current._id } as never}
                  inherit
                >
                  {nameText(t, current)}
                </Anchor>
                {current.author ? ` · ${t('schedules.byWhom', { author: current.author })}` : null}
                {current.approver ? ` · ${t('schedules.approvedBy', { approver: current.approver })}` : null}
              </p>
            ) : null}
            <p className={classes.source}>{boundsText(t, setpoint)}</p>
          </div>
          <div className={classes.doing}>
            <WhyButton why={whyNot} onClick={() => setOpened('limit')}>
              {t(kind === 'setpoint_activepower' ? 'schedules.limit' : 'schedules.setNow')}
            </WhyButton>
            {kind === 'setpoint_activepower' ? (
              <WhyButton why={whyNot} color="red.8" onClick={() => setOpened('stop')}>
                {t('schedules.stop')}
              </WhyButton>
            ) : null}
            <WhyButton
              why={whyNot ?? (current ? null : t('schedules.nothingToRelease'))}
              variant="default"
              onClick={() => setOpened('release')}
            >
              {t('schedules.release')}
            </WhyButton>
          </div>
        </div>
        {setpoint.fault ? (
          <Text className={classes.trouble} role="alert">
            <LevelIcon mark="danger" /> {t('schedules.deviceFault', { why: setpoint.fault })}
          </Text>
        ) : null}
        {current ? <TrialBanner schedule={current} /> : null}
        {pending && pending.step !== 'approval' ? <OnItsWay schedule={pending} /> : null}
        {current && !holding.isChanged ? <Today holding={holding} zone={zone} now={now} /> : null}
        {current && current.inverters.length > 0 && !pending?.inverters.length ? (
          <InverterTable inverters={current.inverters} />
        ) : null}
      </div>
      {opened === 'limit' || opened === 'stop' ? (
        <OverrideDialog
          setpoint={setpoint}
          deviceName={device.name}
          zone={zone}
          isStop={opened === 'stop'}
          onClose={close}
        />
      ) : null}
      {opened === 'release' ? (
        <ReleaseDialog holding={holding} deviceName={device.name} onClose={close} />
      ) : null}
      {opened === 'bounds' ? <BoundsDialog setpoint={setpoint} onClose={close} /> : null}
    </Section>
  );
}

/** What was sent and is read back by now: it holds once that is done. */
function OnItsWay({ schedule }: { schedule: DeviceSchedule }) {
  const { t } = useTranslation();
  const { deviceId, _id, step, inverters, reason } = schedule;
  return (
    <>
      <p className={classes.verdict} role="status">
        <Loader size={14} color="var(--al-warning)" aria-hidden="true" />
        <Anchor
          underline="always"
          component={Link}
          to="/control/devices/$deviceId/$schedule"
          params={{ deviceId, schedule: _id } as never}
          inherit
        >
          {t(`schedules.onItsWay.${schedule.asks ?? 'apply'}`, { name: nameText(t, schedule) })}
        </Anchor>
        <span className={classes.dim}>{t(`schedules.wayOf.${step ?? 'sending'}`)}</span>
      </p>
      {reason ? <p className={classes.note}>{reason}</p> : null}
      {inverters.length > 0 ? <InverterTable inverters={inverters} /> : null}
    </>
  );
}

/** The day of the site around now, by the current schedule. */
function Today({ holding, zone, now }: { holding: Holding; zone: string; now: number }) {
  const { t } = useTranslation();
  const { current, setpoint } = holding;
  if (!current) return null;
  const steps = stepsOf(current);
  const axis = axisOf(
    t,
    setpoint.kind,
    steps.map(({ value }) => value),
  );
  return (
    <StepChart
      label={t('schedules.today', { name: current.name })}
      axis={axis}
      zone={zone}
      now={now}
      view={dayAround(now, zone)}
      lines={[{ name: current.name, steps, end: endOf(current) }]}
      textOf={(value) => valueText(t, setpoint.kind, value)}
      height={150}
    />
  );
}
