import {
  type PluginArgument,
  type PluginDetail,
  type PluginService,
  serviceName,
} from '@albedo/contract/plugins/plugins.schema';
import { Accordion, Checkbox, PasswordInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { sentenceCase } from '../../ui/sentence-case.ts';
import type { BeginWith } from './found-service.ts';
import classes from './plugins.module.css';
import { type OnPlugin, putService, renameService } from './plugins.queries.ts';
import { argumentsOf, fileOf, formOf, missingOf, type ServiceValues } from './service-form.ts';

interface ServiceDialogProps {
  on: Omit<OnPlugin, 'plugin'>;
  root: string;
  /** Those of which there can be a service. */
  offered: readonly PluginDetail[];
  /** Null for a new one. */
  service: PluginService | null;
  /** What a new one begins with, as a scan found it. */
  beginWith?: BeginWith | null;
  onSaved?: (name: string) => void;
  onClose: () => void;
}

/** A service of a plugin: a form made from the plugin's spec, or its file as it is where that says more than a form. */
export function ServiceDialog({
  on,
  root,
  offered,
  service,
  beginWith = null,
  onSaved = () => {},
  onClose,
}: ServiceDialogProps) {
  const { t } = useTranslation();
  const [plugin, setPlugin] = useState(service?.plugin ?? beginWith?.plugin ?? offered[0]?.name ?? '');
  const spec = offered.find(({ name }) => name === plugin)?.spec;
  const [form, setForm] = useState<ServiceValues | null>(() =>
    spec ? begun(formOf(spec, service, root), beginWith) : null,
  );
  const [text, setText] = useState(service?.file ?? '');
  const [isChecked, setChecked] = useState(false);
  const missing = spec && form ? missingOf(spec, form) : [];
  const isNamed = serviceName.safeParse(form?.name ?? service?.name).success;
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    setChecked(true);
    if (missing.length > 0 || !isNamed) return;
    const name = form?.name ?? service?.name ?? '';
    const made = spec && form ? fileOf(spec, form, root) : { serviceFile: text, files: service?.files ?? {} };
    const body = { ...made, isDisabled: service?.isDisabled ?? false };
    if (service && service.name !== name) await renameService({ ...on, plugin }, service, name, body);
    else await putService({ ...on, plugin }, name, body);
    notifyDone(t('plugins.service.saved', { name }));
    onClose();
    onSaved(name);
  });
  const choose = (name: string) => {
    const chosen = offered.find((one) => one.name === name)?.spec;
    setPlugin(name);
    setForm(chosen ? formOf(chosen, null, root) : null);
    setChecked(false);
  };
  const { mandatory, optional } = spec ? argumentsOf(spec) : { mandatory: [], optional: [] };
  const fieldOf = (argument: PluginArgument) => (
    <ArgumentField
      key={argument.option}
      argument={argument}
      value={form?.values[argument.option] ?? ''}
      error={isChecked && missing.includes(argument.option) ? t('plugins.service.required') : null}
      onChange={(value) => form && setForm({ ...form, values: { ...form.values, [argument.option]: value } })}
    />
  );
  return (
    <FormDialog
      title={service ? t('plugins.service.edit', { name: service.name }) : t('plugins.service.new')}
      size="lg"
      isWorking={isWorking}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {service ? null : (
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
            data-autofocus={service ? undefined : true}
            onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
          />
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
const begun = (form: ServiceValues | null, known: BeginWith | null): ServiceValues | null =>
  form && known ? { ...form, name: known.name, values: { ...form.values, ...known.values } } : form;

interface ArgumentFieldProps {
  argument: PluginArgument;
  value: string;
  error: string | null;
  onChange: (value: string) => void;
}

/** An argument, as its type wants to be asked for. Names and help are the plugin's own. */
function ArgumentField({ argument, value, error, onChange }: ArgumentFieldProps) {
  const { option, type, options = [], default: initial } = argument;
  const label = sentenceCase(option.replaceAll('_', ' '));
  const help = argument.help && sentenceCase(argument.help);
  const common = { label, description: help, error, value };
  switch (type) {
    case 'flag':
      return (
        <Checkbox
          label={label}
          description={help}
          checked={value === 'true'}
          onChange={(event) => onChange(event.currentTarget.checked ? 'true' : '')}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          data={options}
          placeholder={initial}
          clearable
          onChange={(choice) => onChange(choice ?? '')}
        />
      );
    case 'password':
      return <PasswordInput {...common} onChange={(event) => onChange(event.currentTarget.value)} />;
    case 'fileContent':
    case 'sourceMap':
      return (
        <Textarea
          {...common}
          classNames={{ input: classes.code ?? '' }}
          rows={type === 'sourceMap' ? 3 : 8}
          spellCheck={false}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          placeholder={initial}
          spellCheck={false}
          inputMode={type === 'integer' || type === 'decimal' ? 'decimal' : 'text'}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
