import type { StoredBoard } from '@albedo/contract/boards/boards.schema';
import { DISPLAY_LIMITS, type DisplayPage, newDisplay } from '@albedo/contract/displays/displays.schema';
import {
  ActionIcon,
  Button,
  Checkbox,
  Input,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { boardsQuery } from '../../../app/boards-query.ts';
import { entityWorldQuery } from '../../../app/entity-world-query.ts';
import { useWorkgroup } from '../../../app/session.ts';
import { useContractForm } from '../../../app/use-contract-form.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { entitiesOf } from '../shown-entities.ts';
import { useVariablesOfAddress } from '../use-variables-of-address.ts';
import classes from './displays.module.css';
import { makeDisplay } from './displays.queries.ts';
import { FreeVariables } from './free-variables.tsx';

const INTERVALS = [10, 15, 30, 60, 300, 900] as const;
const EACH = 'each';
const FIRST = '';

interface DisplayFormProps {
  stored: StoredBoard;
  entityId: string | null;
  onMade: (address: string) => void;
  onClose: () => void;
}

/** Makes a display link; the first page is the board that is open. */
export function DisplayForm({ stored, entityId, onMade, onClose }: DisplayFormProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: boards = [] } = useQuery(boardsQuery(wg));
  const { data: world } = useQuery(entityWorldQuery(wg));
  const { chosen } = useVariablesOfAddress();
  const first = {
    board: stored._id,
    entity: stored.type === 'label' ? entityId : null,
    range: null,
    ...(Object.keys(chosen).length > 0 ? { variables: chosen } : {}),
  };
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: newDisplay,
    initial: {
      name: stored.name,
      pages: [first] as DisplayPage[],
      intervalS: 30,
      order: 'given' as 'given' | 'random',
      free: [] as ('entity' | 'range')[],
      networks: [] as string[],
      days: 30,
    },
    send: async (value) => onMade(await makeDisplay(wg, value)),
  });
  const pages = values.pages as DisplayPage[];
  const setPage = (at: number, part: Partial<DisplayPage>) =>
    set({ pages: pages.map((one, i) => (i === at ? { ...one, ...part } : one)) });
  /** What a dashboard of a label can show; null for one that shows one entity. */
  const choicesOf = (board: string) => {
    const found = boards.find(({ _id }) => _id === board);
    if (found?.type !== 'label') return null;
    return world ? entitiesOf(found, world) : [];
  };
  /** A dashboard that is not listed yet, where there is one. */
  const next = (): DisplayPage => {
    const other = boards.find(({ _id }) => pages.every(({ board }) => board !== _id));
    return other ? { board: other._id, entity: null, range: null } : first;
  };
  const isTurning = pages.length > 1 || pages.some(({ entity }) => entity === EACH);
  return (
    <FormDialog
      {...dialog}
      size="lg"
      title={t('boards.display.make')}
      submit={t('boards.display.makeIt')}
      onClose={onClose}
    >
      <TextInput data-autofocus label={t('boards.name')} autoComplete="off" {...field('name')} />
      <Stack gap={8}>
        {pages.map(({ board, entity, free }, at) => {
          const choices = choicesOf(board);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same dashboard may stand here twice.
            <Stack key={at} gap={8}>
              <div className={classes.row}>
                <Select
                  label={at === 0 ? t('boards.display.pages') : undefined}
                  aria-label={t('boards.display.page', { number: at + 1 })}
                  searchable
                  allowDeselect={false}
                  data={boards.map(({ _id, name }) => ({ value: _id, label: name }))}
                  value={board}
                  onChange={(value) =>
                    value &&
                    setPage(at, { board: value, entity: null, variables: undefined, free: undefined })
                  }
                />
                {choices ? (
                  <Select
                    label={at === 0 ? t('boards.entity') : undefined}
                    aria-label={t('boards.display.entityOf', { number: at + 1 })}
                    searchable
                    allowDeselect={false}
                    data={[
                      { value: FIRST, label: t('boards.display.first') },
                      { value: EACH, label: t('boards.display.each') },
                      ...choices.map(({ _id, name }) => ({ value: _id, label: name })),
                    ]}
                    value={entity ?? FIRST}
                    onChange={(value) => setPage(at, { entity: value || null })}
                  />
                ) : (
                  <span />
                )}
                {pages.length > 1 ? (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    aria-label={t('boards.display.removePage', { number: at + 1 })}
                    onClick={() => set({ pages: pages.filter((_, i) => i !== at) })}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                ) : (
                  <span />
                )}
              </div>
              <FreeVariables
                number={at + 1}
                board={board}
                value={free ?? []}
                onChange={(keys) => setPage(at, { free: keys.length > 0 ? keys : undefined })}
              />
            </Stack>
          );
        })}
        {faultOf('pages') ? <Input.Error role="alert">{faultOf('pages')}</Input.Error> : null}
        <Button
          variant="subtle"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconPlus size={14} />}
          onClick={() => set({ pages: [...pages, next()] })}
        >
          {t('boards.display.addPage')}
        </Button>
      </Stack>
      {isTurning ? (
        <div className={classes.row}>
          <Select
            label={t('boards.display.interval')}
            allowDeselect={false}
            data={INTERVALS.map((one) => ({
              value: String(one),
              label: t('boards.display.turnEvery', { count: one }),
            }))}
            value={String(values.intervalS)}
            onChange={(value) => set({ intervalS: Number(value) })}
          />
          <Select
            label={t('boards.display.order')}
            allowDeselect={false}
            data={(['given', 'random'] as const).map((value) => ({
              value,
              label: t(`boards.display.orders.${value}`),
            }))}
            value={values.order as string}
            onChange={(value) => set({ order: value === 'random' ? 'random' : 'given' })}
          />
          <span />
        </div>
      ) : null}
      <Checkbox.Group
        label={t('boards.display.free')}
        description={t('boards.display.freeHelp')}
        value={values.free as string[]}
        onChange={(free) => set({ free: free as ('entity' | 'range')[] })}
      >
        <Stack gap={6} mt={6}>
          <Checkbox value="range" label={t('boards.display.freeRange')} />
          <Checkbox value="entity" label={t('boards.display.freeEntity')} />
        </Stack>
      </Checkbox.Group>
      <TagsInput
        label={t('boards.display.networks')}
        description={t('boards.display.networksHelp')}
        placeholder="203.0.113.0/24"
        value={values.networks as string[]}
        error={faultOf('networks')}
        onChange={(networks) => set({ networks })}
        acceptValueOnBlur
      />
      <NumberInput
        label={t('boards.display.days')}
        description={t('boards.display.daysHelp')}
        min={1}
        max={DISPLAY_LIMITS.days}
        clampBehavior="strict"
        {...field('days')}
      />
    </FormDialog>
  );
}
