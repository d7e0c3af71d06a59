import { Button, Checkbox, Popover, ScrollArea, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './searches.module.css';

interface FieldsPopoverProps {
  label: string;
  icon: ReactNode;
  fields: readonly string[];
  /** In the order in which they were chosen. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** What no choice at all means. */
  none?: string;
  most?: number;
}

/** Fields to tick, behind a button that says how many are. */
export function FieldsPopover({
  label,
  icon,
  fields,
  chosen,
  onChange,
  none,
  most = 200,
}: FieldsPopoverProps) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState('');
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = [...new Set([...fields, ...chosen])].filter((field) =>
    words.every((word) => field.toLowerCase().includes(word)),
  );
  const count = chosen.length;
  return (
    <Popover position="bottom-start" withinPortal trapFocus width={300}>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={icon}>
          {count === 0 && none ? `${label}: ${none}` : `${label}: ${count}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={label}>
        <TextInput
          size="xs"
          mb={6}
          aria-label={t('searches.findField')}
          placeholder={t('searches.findField')}
          leftSection={<IconSearch size={14} />}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
        <ScrollArea.Autosize mah={280}>
          <div className={classes.ticks}>
            {shown.map((field) => (
              <Checkbox
                key={field}
                size="xs"
                label={field}
                checked={chosen.includes(field)}
                disabled={count >= most && !chosen.includes(field)}
                onChange={(event) =>
                  onChange(
                    event.currentTarget.checked ? [...chosen, field] : chosen.filter((one) => one !== field),
                  )
                }
              />
            ))}
          </div>
        </ScrollArea.Autosize>
        {count > 0 ? (
          <Button variant="subtle" size="compact-xs" mt={6} onClick={() => onChange([])}>
            {t('searches.clearFields')}
          </Button>
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
}
