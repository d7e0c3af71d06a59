import { ActionIcon, Button, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../editor.module.css';

interface SeveralProps<T> {
  label: string;
  all: readonly T[];
  most: number;
  fresh: T;
  nameOf: (one: T) => string;
  onChange: (all: T[]) => void;
  children: (one: T, change: (next: T) => void) => ReactNode;
}

/** A list of things that have fields of their own. */
export function Several<T>({ label, all, most, fresh, nameOf: name, onChange, children }: SeveralProps<T>) {
  const { t } = useTranslation();
  const without = (at: number) => all.filter((_, i) => i !== at);
  return (
    <Stack gap={8}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {all.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no names of their own.
        <div key={at} className={classes.stream}>
          <div className={classes.streamHead}>
            <span>{name(one)}</span>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              onClick={() => onChange(without(at))}
              aria-label={t('boards.removeWidget', { title: name(one) })}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </div>
          {children(one, (next) => onChange(all.map((other, i) => (i === at ? next : other))))}
        </div>
      ))}
      {all.length < most ? (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...all, structuredClone(fresh)])}
        >
          {t('boards.addOne', { what: label })}
        </Button>
      ) : null}
    </Stack>
  );
}
