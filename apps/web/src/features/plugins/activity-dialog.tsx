import {
  type Activity,
  type PluginArgument,
  type PluginDetail,
  RUN_INTERVALS,
  serviceName,
  TASK_ACTIONS,
  TASK_INTERVALS,
} from '@albedo/contract/plugins/plugins.schema';
import { Accordion, Alert, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formatDuration } from '../../ui/units/durations.ts';
import {
  type ActivityValues,
  actionOf,
  activityOf,
  argumentsOf,
  formOf,
  missingOf,
  wrongMapsOf,
} from './activity-form.ts';
import { repairOf } from './activity-repair.ts';
import { ArgumentField } from './argument-field.tsx';
import type { BeginWith } from './found-service.ts';
import classes from './plugins.module.css';
import { type OnPlugin, type PresentActivity, saveActivity } from './plugins.queries.ts';

interface ActivityDialogProps {
  on: Omit<OnPlugin, 'plugin'>;
  root: string;
  /** Those that can go on by themselves. */
  offered: readonly PluginDetail[];
  /** Null for a new one. */
  activity: PresentActivity | null;
  /** What a new one is at first. */
  type: 'service' | 'task';
  /** What a new one begins with, as a scan found it. */
  beginWith?: BeginWith | null;
  onSaved?: (name: string) => void;
  onClose: () => void;
}

/** A service or a task of a plugin: a form made from the plugin's spec, or its file as it is where that says more than a form. */
export function ActivityDialog({
  on,
  root,
  offered,
  activity,
  type,
  beginWith = null,
  onSaved = () => {},
  onClose,
}: ActivityDialogProps) {
  const { t } = useTranslation();
  const [plugin, setPlugin] = useState(activity?.plugin ?? beginWith?.plugin ?? offered[0]?.name ?? '');
  const spec = offered.find(({ name }) => name === plugin)?.spec;
  const [form, setForm] = useState<ActivityValues | null>(() =>
    spec ? begun(formOf(spec, activity, root, type), beginWith) : null,
  );
  const [text, setText] = useState(activity?.type === 'service' ? activity.file : '');
  const [isChecked, setChecked] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const missing = spec && form ? missingOf(spec, form) : [];
  const wrongMaps = spec && form ? wrongMapsOf(spec, form) : [];
  const repair = spec && form ? repairOf(spec, activity) : null;
  const isNamed = serviceName.safeParse(form?.name ?? activity?.name).success;
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    setChecked(true);
    if (wrongMaps.length > 0) setOpened('optional');
    if (missing.length > 0 || wrongMaps.length > 0 || !isNamed) return;
    const isDisabled = activity?.isDisabled ?? false;
    const saved: Activity | null =
      spec && form
        ? activityOf(spec, form, root, isDisabled)
        : activity?.type === 'service'
          ? { ...activity, file: text }
          : null;
    if (!saved) return;
    await saveActivity({ ...on, plugin }, saved, activity);
    const { name } = saved;
    notifyDone(t(`plugins.${saved.type}.saved`, { name }));
    onClose();
    onSaved(name);
  });
  const choose = (name: string) => {
    const chosen = offered.find((one) => one.name === name)?.spec;
    setPlugin(name);
    setForm(chosen ? formOf(chosen, null, root, form?.type ?? type) : null);
    setChecked(false);
  };
  const shown = form?.type ?? activity?.type ?? type;
  const { mandatory, optional } =
    spec && form ? argumentsOf(spec, actionOf(form)) : { mandatory: [], optional: [] };
  const errorOf = ({ option }: PluginArgument): string | null => {
    if (!isChecked) return null;
    if (missing.includes(option)) return t(`plugins.${shown}.required`);
    return wrongMaps.includes(option) ? t('plugins.sourceMapWrong') : null;
  };
  const fieldOf = (argument: PluginArgument) => (
    <ArgumentField
      key={argument.option}
      argument={argument}
      value={form?.values[argument.option] ?? ''}
      on={on}
      error={errorOf(argument)}
      onChange={(value) => form && setForm({ ...form, values: { ...form.values, [argument.option]: value } })}
    />
  );
  return (
    <FormDialog
      title={activity ? t(`plugins.${shown}.edit`, { name: activity.name }) : t(`plugins.${shown}.new`)}
      size="lg"
      isWorking={isWorking}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {activity ? null : (
        <Select
          label={t('plugins.plugin')}
          data={offered.map(({ name, title }) => ({ value: name, label: title }))}
          value={plugin}
          allowDeselect={false}
          onChange={(name) => name && choose(name)}
        />
      )}
      {form && spec ? (
        <Stack gap="sm">
          <TextInput
            label={t('plugins.service.name')}
            description={t('plugins.service.nameHelp')}
            value={form.name}
            error={isChecked && !isNamed ? t('plugins.service.nameWrong') : null}
            data-autofocus={activity ? undefined : true}
            onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
          />
          <SegmentedControl
            aria-label={t('plugins.runsAs')}
            data={[
              { value: 'service', label: t('plugins.service.one') },
              { value: 'task', label: t('plugins.task.one') },
            ]}
            value={form.type}
            onChange={(chosen) => setForm({ ...form, type: chosen === 'task' ? 'task' : 'service' })}
          />
          <Text size="xs" c="dimmed">
            {t(`plugins.${form.type}.means`)}
          </Text>
          {form.type === 'service' ? (
            <TextInput
              className={classes.short ?? ''}
              label={t('plugins.service.frequency')}
              value={form.frequency}
              inputMode="numeric"
              rightSection="s"
              onChange={(event) =>
                setForm({ ...form, frequency: event.currentTarget.value.replace(/\D/g, '') })
              }
            />
          ) : (
            <Select
              className={classes.short ?? ''}
              label={t('plugins.service.frequency')}
              data={[...new Set([form.interval, ...TASK_INTERVALS])]
                .toSorted((a, b) => RUN_INTERVALS[a] - RUN_INTERVALS[b])
                .map((value) => ({ value, label: formatDuration(RUN_INTERVALS[value] * 1000) }))}
              value={form.interval}
              allowDeselect={false}
              onChange={(value) => value && setForm({ ...form, interval: value })}
            />
          )}
          {repair?.isImpossible ? (
            <Alert color="red" title={t('plugins.repairFailed')}>
              {t('plugins.repairHelp')}
            </Alert>
          ) : null}
          {repair && repair.leftOut.length > 0 ? (
            <Alert color="orange">{t('plugins.leftOut', { names: repair.leftOut.join(', ') })}</Alert>
          ) : null}
          {mandatory.map(fieldOf)}
          <Accordion variant="contained" value={opened} onChange={setOpened}>
            <Accordion.Item value="optional">
              <Accordion.Control>
                {t('plugins.service.optional', { count: optional.length })}
              </Accordion.Control>
              <Accordion.Panel>
                <Stack gap="sm">
                  {form.type === 'task' ? (
                    <Select
                      label={t('plugins.action')}
                      data={TASK_ACTIONS.map((value) => ({ value, label: t(`plugins.doing.${value}`) }))}
                      value={form.action}
                      allowDeselect={false}
                      onChange={(value) => setForm({ ...form, action: value === 'discover' ? value : 'log' })}
                    />
                  ) : null}
                  {optional.map(fieldOf)}
                </Stack>
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        </Stack>
      ) : (
        <Textarea
          label={t('plugins.service.file')}
          description={t('plugins.service.fileHelp')}
          classNames={{ input: classes.code ?? '' }}
          rows={12}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}

/** A form with what is known already. */
const begun = (form: ActivityValues | null, known: BeginWith | null): ActivityValues | null =>
  form && known ? { ...form, name: known.name, values: { ...form.values, ...known.values } } : form;
