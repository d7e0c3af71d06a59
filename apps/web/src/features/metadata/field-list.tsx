import type { FieldInUse, InfoLevel } from '@albedo/contract/metadata/metadata.schema';
import { WORKGROUP_SETTINGS } from '@albedo/contract/workgroups/workgroup-settings.schema';
import { ActionIcon, Autocomplete, Button, TextInput } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconPencil,
  IconPlus,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { type SyntheticEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAttempt, useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import classes from './metadata.module.css';

/** So many fields that are in use and not chosen are offered by a button each; all others by the field to type in. */
const OFFERS = 8;

interface FieldListProps {
  level: InfoLevel;
  /** What is saved, in its order. */
  saved: readonly string[];
  inUse: readonly FieldInUse[];
  /** How many devices or sources there are. */
  total: number;
  onChange: (keys: string[]) => Promise<void>;
  /** Calls a field otherwise, wherever it says something. */
  onRename: (name: string, to: string) => Promise<void>;
}

/** Chooses fields and their order; each change is saved at once. */
export function FieldList({ level, saved, inUse, total, onChange, onRename }: FieldListProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [renaming, setRenaming] = useState<string | null>(null);
  const { attempt, failure } = useAttempt();
  const { wanted, save: queue } = useSaves(onChange);
  const keys = wanted ?? saved;
  const offered = inUse.filter(({ name }) => !keys.includes(name));
  const save = (next: string[]) => attempt(() => queue(next));

  function move(index: number, by: 1 | -1): void {
    const next = [...keys];
    next.splice(index + by, 0, ...next.splice(index, 1));
    void save(next);
  }

  function add(event: SyntheticEvent): void {
    event.preventDefault();
    void attempt(async () => {
      const name = typed.trim();
      if (name === '') return;
      if (keys.includes(name)) throw new Error(t('device.info.twice', { name }));
      setTyped('');
      await queue(WORKGROUP_SETTINGS.deviceInfoKeys.parse([...keys, name]));
    });
  }

  return (
    <div className={classes.fields}>
      <p className={classes.help}>
        {t(keys.length > 0 ? `metadata.${level}.chosen` : `metadata.${level}.all`)}
      </p>
      {keys.length > 0 ? (
        <ul className={classes.rows}>
          {keys.map((name, index) => (
            <li key={name} className={classes.row}>
              {renaming === name ? (
                <RenameForm
                  name={name}
                  about={`${t(`metadata.${level}.follow`, {
                    count: inUse.find((one) => one.name === name)?.count ?? 0,
                  })} ${t('metadata.followBeside')}`}
                  onRename={(to) => onRename(name, to)}
                  onClose={() => setRenaming(null)}
                />
              ) : (
                <>
                  <span className={classes.name}>
                    {name}
                    <Use level={level} field={inUse.find((one) => one.name === name)} total={total} />
                  </span>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    disabled={index === 0}
                    aria-label={t('metadata.up', { name })}
                    onClick={() => move(index, -1)}
                  >
                    <IconArrowUp size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    disabled={index === keys.length - 1}
                    aria-label={t('metadata.down', { name })}
                    onClick={() => move(index, 1)}
                  >
                    <IconArrowDown size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    aria-label={t('metadata.rename', { name })}
                    onClick={() => setRenaming(name)}
                  >
                    <IconPencil size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    aria-label={t('device.info.remove', { name })}
                    onClick={() => void save(keys.filter((one) => one !== name))}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </>
              )}
            </li>
          ))}
        </ul>
      ) : null}
      <form className={classes.add} onSubmit={add}>
        <Autocomplete
          aria-label={t(`metadata.${level}.add`)}
          placeholder={t(`metadata.${level}.add`)}
          data={offered.map(({ name }) => name)}
          value={typed}
          maxLength={80}
          limit={50}
          onChange={setTyped}
        />
        <Button type="submit" variant="default" leftSection={<IconPlus size={16} />}>
          {t('device.info.add')}
        </Button>
      </form>
      {offered.length > 0 ? (
        <div className={classes.offers}>
          <span className={classes.help}>{t('metadata.inUse')}</span>
          {offered.slice(0, OFFERS).map(({ name, count }) => (
            <Button
              key={name}
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={12} />}
              onClick={() => void save([...keys, name])}
            >
              {t('metadata.offer', { name, count })}
            </Button>
          ))}
        </div>
      ) : null}
      <Failure text={failure} />
    </div>
  );
}

interface RenameFormProps {
  name: string;
  /** How many values follow. */
  about: string;
  onRename: (to: string) => Promise<void>;
  onClose: () => void;
}

/** The name of a field in its line: Enter or the tick saves it, Escape leaves it. */
function RenameForm({ name, about, onRename, onClose }: RenameFormProps) {
  const { t } = useTranslation();
  const [to, setTo] = useState(name);
  const { failure, isWorking, handleSubmit } = useSubmit(async () => {
    if (to.trim() !== name) await onRename(to.trim());
    onClose();
  });
  return (
    <form className={classes.rename} noValidate onSubmit={handleSubmit}>
      <TextInput
        autoFocus
        className={classes.name ?? ''}
        aria-label={t('metadata.newName', { name })}
        description={about}
        inputWrapperOrder={['input', 'description', 'error']}
        value={to}
        maxLength={80}
        error={failure}
        onChange={(event) => setTo(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      />
      <ActionIcon
        type="submit"
        variant="subtle"
        size={36}
        loading={isWorking}
        disabled={to.trim() === ''}
        aria-label={t('actions.save')}
      >
        <IconCheck size={16} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('actions.cancel')} onClick={onClose}>
        <IconX size={16} />
      </ActionIcon>
    </form>
  );
}

/** Saves one after the other; until the last of them is over, `wanted` is what is shown, and what the next one builds on. */
function useSaves(onChange: (keys: string[]) => Promise<void>) {
  const [wanted, setWanted] = useState<string[] | null>(null);
  const last = useRef<Promise<void>>(Promise.resolve());
  async function save(next: string[]): Promise<void> {
    setWanted(next);
    const own = last.current.then(() => onChange(next));
    // One that fails takes those with it that build on it.
    last.current = own;
    try {
      await own;
    } finally {
      if (last.current === own) {
        last.current = Promise.resolve();
        setWanted(null);
      }
    }
  }
  return { wanted, save };
}

/** How many say something in the field, and what one of them says. */
function Use({ level, field, total }: { level: InfoLevel; field: FieldInUse | undefined; total: number }) {
  const { t } = useTranslation();
  return (
    <span className={classes.use}>
      {field
        ? t(`metadata.${level}.use`, { count: field.count, total, example: field.example })
        : t(`metadata.${level}.unused`)}
    </span>
  );
}
