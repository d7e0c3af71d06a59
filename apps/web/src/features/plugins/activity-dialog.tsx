import {
  type Activity,
  type PluginArgument,
  type PluginDetail,
  RUN_INTERVALS,
  serviceName,
  TASK_INTERVALS,
} from '@albedo/contract/plugins/plugins.schema';
import { Accordion, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formatDuration } from '../../ui/units/durations.ts';
import { type ActivityValues, activityOf, argumentsOf, formOf, missingOf } from './activity-form.ts';
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
  const missing = spec && form ? missingOf(spec, form) : [];
  const isNamed = serviceName.safeParse(form?.name ?? activity?.name).success;
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    setChecked(true);
    if (missing.length > 0 || !isNamed) return;
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
  const { mandatory, optional } = spec ? argumentsOf(spec) : { mandatory: [], optional: [] };
  const fieldOf = (argument: PluginArgument) => (
    <ArgumentField
      key={argument.option}
      argument={argument}
      value={form?.values[argument.option] ?? ''}
      error={isChecked && missing.includes(argument.option) ? t(`plugins.${shown}.required`) : null}
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
          {mandatory.map(fieldOf)}
          <Accordion variant="contained">
            <Accordion.Item value="optional">
              <Accordion.Control>
                {t('plugins.service.optional', { count: optional.length })}
              </Accordion.Control>
              <Accordion.Panel>
                <Stack gap="sm">{optional.map(fieldOf)}</Stack>
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
