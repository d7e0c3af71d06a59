import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../ui/failure.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { type OnPlugin, serialQuery } from './plugins.queries.ts';

/** A serial port of the device, of those that it has, or any address. */
export function SerialField({ on, ...field }: { on: Omit<OnPlugin, 'plugin'> } & AutocompleteProps) {
  const { t } = useTranslation();
  const { data: lines = [], error } = useQuery(serialQuery(on));
  // A name that stays when the plug is moved comes before the one that does not.
  const ports = lines.map(({ path, id }) => id ?? path);
  return (
    <>
      <Autocomplete
        {...field}
        data={ports.length === 0 ? [] : [{ group: t('plugins.serialOf'), items: ports }]}
        spellCheck={false}
      />
      <Failure text={error ? messageOf(error) : null} />
    </>
  );
}
