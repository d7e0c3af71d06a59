import type { PluginArgument } from '@albedo/contract/plugins/plugins.schema';
import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { sentenceCase } from '../../ui/sentence-case.ts';
import classes from './plugins.module.css';
import type { OnPlugin } from './plugins.queries.ts';
import { SecretField } from './secret-field.tsx';
import { SerialField } from './serial-field.tsx';

interface ArgumentFieldProps {
  on: Omit<OnPlugin, 'plugin'>;
  argument: PluginArgument;
  value: string;
  error: string | null;
  onChange: (value: string) => void;
}

/** An argument, as its type wants to be asked for. Names and help are the plugin's own. */
export function ArgumentField({ on, argument, value, error, onChange }: ArgumentFieldProps) {
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
          // An empty text would count as a choice, with a button to take it back.
          value={value || null}
          data={options}
          placeholder={initial}
          clearable
          onChange={(choice) => onChange(choice ?? '')}
        />
      );
    case 'serial':
      return <SerialField {...common} on={on} placeholder={initial ?? ''} onChange={onChange} />;
    case 'password':
      return <SecretField {...common} onChange={onChange} />;
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
