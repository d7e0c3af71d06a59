import type { Alert } from '@albedo/contract/alerts/alerts.schema';
import { WORKGROUP_SETTINGS } from '@albedo/contract/workgroups/workgroup-settings.schema';
import { ActionIcon, Anchor, Button, Select, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checked } from '../../app/faults.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { plain } from '../../ui/plain.ts';
import { Section } from '../../ui/section.tsx';
import { SEVERITY_COLOURS, SeverityIcon } from '../../ui/status/severity-mark.tsx';
import { setWorkgroupSetting } from '../workgroups/workgroups.queries.ts';
import classes from './alerts.module.css';
import { alertsQuery } from './alerts.queries.ts';
import { useCategories, useSeverities } from './severities.ts';

/** The severities of the workgroup in their order, and the categories that alerts can have. */
export function AlertSettingsPage() {
  const { t } = useTranslation();
  return (
    <Page
      title={t('alerts.settings')}
      context={
        <Anchor component={Link} to="/alerts" size="sm">
          {t('alerts.back')}
        </Anchor>
      }
    >
      <AlertSettings />
    </Page>
  );
}

/** Both lists, also among the settings of the workgroup. */
export function AlertSettings() {
  const { all } = useSeverities();
  const categories = useCategories();
  const { data: alerts } = useQuery(alertsQuery(useWorkgroup()));
  return (
    <div className={classes.page}>
      <Severities
        key={JSON.stringify(all)}
        kept={all.map(({ id, name, color }) => ({ id, name, color }))}
        used={countsOf(alerts, ({ severity }) => severity)}
      />
      <Categories
        key={categories.join('\n')}
        kept={categories}
        used={countsOf(alerts, ({ category }) => category)}
      />
    </div>
  );
}

/** How many alerts have each. */
type Used = ReadonlyMap<string, number>;

function countsOf(alerts: readonly Alert[] | undefined, of: (alert: Alert) => string | null): Used {
  const counts = new Map<string, number>();
  for (const alert of alerts ?? []) {
    const one = of(alert);
    if (one !== null) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return counts;
}

interface GoneProps {
  /** What is taken away and in use. */
  gone: readonly { id: string; name: string }[];
  used: Used;
  /** What becomes of alerts that have it. */
  becomes: string;
}

/** Says before the save which alerts still have what is taken away. */
function Gone({ gone, used, becomes }: GoneProps) {
  const { t } = useTranslation();
  const all = gone.filter(({ id }) => used.has(id));
  if (all.length === 0) return null;
  return (
    <Text size="sm" c="var(--al-warning-text, inherit)" role="status" mb="md">
      {all.map(({ id, name }) => t('alerts.stillUsed', { name, count: used.get(id) ?? 0 })).join(' ')}{' '}
      {becomes}
    </Text>
  );
}

interface Entry {
  id: string;
  name: string;
  color: string;
}

function Severities({ kept, used }: { kept: Entry[]; used: Used }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [list, setList] = useState(kept);
  const change = (at: number, part: Partial<Entry>) =>
    setList(list.map((one, i) => (i === at ? { ...one, ...part } : one)));
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const named = list.map((one) => ({ ...one, name: one.name.trim() }));
    await setWorkgroupSetting(wg, 'severity', checked(WORKGROUP_SETTINGS.severity, named));
    notifyDone(t('alerts.severitiesSaved'));
  });
  return (
    <Section title={t('alerts.severities')} context={t('alerts.severitiesText')}>
      <form noValidate onSubmit={handleSubmit}>
        <Ordered
          items={list}
          nameOf={({ name }) => name}
          onChange={setList}
          line={(one, at) => (
            <>
              <TextInput
                aria-label={t('alerts.severityName', { number: at + 1 })}
                value={one.name}
                maxLength={80}
                leftSection={<SeverityIcon severity={{ ...one, rank: at }} />}
                onChange={(event) => change(at, { name: event.currentTarget.value })}
              />
              <ColourSelect
                value={one.color}
                label={t('alerts.colourOf', { name: one.name })}
                onChange={(color) => change(at, { color })}
              />
            </>
          )}
        />
        <Button
          variant="default"
          size="xs"
          mb="md"
          leftSection={<IconPlus size={14} />}
          onClick={() => setList([...list, { id: newId(list), name: '', color: 'gray' }])}
        >
          {t('alerts.addSeverity')}
        </Button>
        <Gone
          gone={kept.filter(({ id }) => !list.some((one) => one.id === id))}
          used={used}
          becomes={t('alerts.severityGone')}
        />
        <Failure text={failure} />
        <div>
          <Button
            type="submit"
            loading={isWorking}
            disabled={JSON.stringify(list) === JSON.stringify(kept) || list.some(({ name }) => !name.trim())}
          >
            {t('actions.save')}
          </Button>
        </div>
      </form>
    </Section>
  );
}

/** An id that stays, whatever it is called later. */
function newId(list: readonly Entry[]): string {
  for (let number = list.length + 1; ; number += 1) {
    const id = `severity-${number}`;
    if (!list.some((one) => one.id === id)) return id;
  }
}

interface ColourSelectProps {
  value: string;
  label: string;
  onChange: (colour: string) => void;
}

function ColourSelect({ value, label, onChange }: ColourSelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={label}
      allowDeselect={false}
      value={value}
      data={[...new Set([...SEVERITY_COLOURS, value])].map((one) => ({
        value: one,
        label: SEVERITY_COLOURS.includes(one) ? t(`alerts.colours.${one}`) : one,
      }))}
      onChange={(next) => next !== null && onChange(next)}
    />
  );
}

function Categories({ kept, used }: { kept: readonly string[]; used: Used }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [list, setList] = useState<string[]>([...kept]);
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const named = list.map((one) => one.trim());
    await setWorkgroupSetting(wg, 'categories', checked(WORKGROUP_SETTINGS.categories, named));
    notifyDone(t('alerts.categoriesSaved'));
  });
  const isTwice = new Set(list.map((one) => plain(one.trim()))).size < list.length;
  return (
    <Section title={t('alerts.categories')} context={t('alerts.categoriesText')}>
      <form noValidate onSubmit={handleSubmit}>
        <Ordered
          items={list.map((name) => ({ name }))}
          nameOf={({ name }) => name}
          onChange={(next) => setList(next.map(({ name }) => name))}
          line={({ name }, at) => (
            <>
              <TextInput
                aria-label={t('alerts.categoryName', { number: at + 1 })}
                value={name}
                maxLength={80}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  setList(list.map((one, i) => (i === at ? value : one)));
                }}
              />
              <span />
            </>
          )}
        />
        <Button
          variant="default"
          size="xs"
          mb="md"
          leftSection={<IconPlus size={14} />}
          onClick={() => setList([...list, ''])}
        >
          {t('alerts.addCategory')}
        </Button>
        <Gone
          gone={kept.filter((name) => !list.includes(name)).map((name) => ({ id: name, name }))}
          used={used}
          becomes={t('alerts.categoryGone')}
        />
        <Failure text={failure ?? (isTwice ? t('alerts.twice') : null)} />
        <div>
          <Button
            type="submit"
            loading={isWorking}
            disabled={list.join('\n') === kept.join('\n') || isTwice || list.some((one) => !one.trim())}
          >
            {t('actions.save')}
          </Button>
        </div>
      </form>
    </Section>
  );
}

interface OrderedProps<T> {
  items: readonly T[];
  nameOf: (item: T) => string;
  onChange: (items: T[]) => void;
  line: (item: T, at: number) => React.ReactNode;
}

/** Lines whose order counts: it is changed with buttons, or by dragging. */
function Ordered<T>({ items, nameOf, onChange, line }: OrderedProps<T>) {
  const { t } = useTranslation();
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const move = (from: number, to: number) => {
    const next = [...items];
    const [one] = next.splice(from, 1);
    if (one !== undefined) onChange(next.toSpliced(to, 0, one));
  };
  return (
    <ol className={classes.order}>
      {items.map((item, at) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else that stays while they are written.
          key={at}
          data-over={over === at && dragged !== at}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(at);
          }}
          onDrop={() => {
            if (dragged !== null && dragged !== at) move(dragged, at);
            setDragged(null);
            setOver(null);
          }}
        >
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons beside it do the same by keyboard. */}
          <span
            className={classes.handle}
            draggable
            onDragStart={() => setDragged(at)}
            onDragEnd={() => {
              setDragged(null);
              setOver(null);
            }}
          >
            <IconGripVertical size={16} aria-hidden="true" />
          </span>
          {line(item, at)}
          <span>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={at === 0}
              aria-label={t('alerts.up', { name: nameOf(item) })}
              onClick={() => move(at, at - 1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={at === items.length - 1}
              aria-label={t('alerts.down', { name: nameOf(item) })}
              onClick={() => move(at, at + 1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('alerts.take', { name: nameOf(item) })}
              onClick={() => onChange(items.filter((_, i) => i !== at))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </span>
        </li>
      ))}
    </ol>
  );
}
