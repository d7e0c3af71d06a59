import type { Alert, NewAlert } from '@albedo/contract/alerts/alerts.schema';
import { Anchor, Button, Group, Skeleton, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { lastSavedBy } from '../../app/versions/newest.ts';
import { useOpened } from '../../app/versions/use-opened.ts';
import { useSaveOver } from '../../app/versions/use-save-over.tsx';
import { VersionsButton } from '../../app/versions/versions-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { blankAlert } from './alert-draft.ts';
import { AlertTest } from './alert-test.tsx';
import classes from './alerts.module.css';
import { alertsQuery, definitionOf, newestAlert, removeAlert, saveAlert } from './alerts.queries.ts';
import { ConditionFields } from './condition-fields.tsx';
import { type AlertForm, alertSchema } from './fields.ts';
import { KindField } from './kind-field.tsx';
import { NotifyFields } from './notify-fields.tsx';
import { ScopeField } from './scope-field.tsx';
import { SeverityFields } from './severity-fields.tsx';
import { TimingFields } from './timing-fields.tsx';
import { WordsFields } from './words-fields.tsx';

/** One alert: what it watches for and how it tells; tried on history before it is saved. */
export function AlertPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { alert: id = 'new' } = useParams({ strict: false }) as { alert?: string };
  const { of } = useSearch({ strict: false }) as { of?: unknown };
  const { data, error, refetch } = useQuery(alertsQuery(wg));
  const isNew = id === 'new';
  const saved = isNew ? null : data?.find(({ _id }) => _id === id);
  const copied = isNew ? data?.find(({ _id }) => _id === of) : undefined;
  const back = (
    <Anchor component={Link} to="/alerts" size="sm">
      {t('alerts.back')}
    </Anchor>
  );
  return (
    <Page title={saved?.name ?? t(isNew ? 'alerts.new' : 'alerts.one')} context={back}>
      {error && !data ? (
        <ErrorState title={t('alerts.failed')} error={error} onRetry={() => void refetch()} />
      ) : null}
      {data || error ? null : <Skeleton height={420} maw={960} />}
      {data && saved === undefined ? (
        <EmptyState title={t('alerts.gone')} text={t('alerts.goneText')} />
      ) : null}
      {data && saved !== undefined ? (
        <Opened
          key={`${id} ${copied?._id ?? ''}`}
          saved={saved}
          initial={
            copied
              ? { ...definitionOf(copied), name: t('alerts.copyOf', { name: copied.name }) }
              : blankAlert()
          }
        />
      ) : null}
    </Page>
  );
}

function Opened({ saved, initial }: { saved: Alert | null; initial: NewAlert }) {
  const { opened, round, reopen } = useOpened(saved);
  return (
    <Editor
      key={round}
      saved={opened}
      initial={opened ? definitionOf(opened) : initial}
      onOpen={(alert) => reopen(alert)}
    />
  );
}

interface EditorProps {
  /** As the editor found it; null for a new one. */
  saved: Alert | null;
  initial: NewAlert;
  /** Begins anew with what stands now. */
  onOpen: (alert: Alert) => void;
}

function Editor({ saved, initial, onOpen }: EditorProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const [isRemoving, setRemoving] = useState(false);
  const leave = () => void navigate({ to: '/alerts' });
  const over = useSaveOver<NewAlert, Pick<Alert, 'version'> & Partial<Alert>>({
    opened: saved ?? { version: 0 },
    contentOf: (alert) => definitionOf(alert as Alert),
    send: (content, version) => saveAlert(wg, saved && { _id: saved._id, version }, content),
    newest: () => newestAlert(wg, saved?._id ?? ''),
    savedBy: () => lastSavedBy(wg, 'alert', saved?._id ?? ''),
    onTheirs: (alert) => onOpen(alert as Alert),
  });
  const form: AlertForm = useContractForm({
    schema: alertSchema,
    initial,
    refusals: { 'alert.name_taken': 'name' },
    send: async (body) => {
      if (!(saved ? await over.save(body) : await saveAlert(wg, null, body))) return;
      notifyDone(t('alerts.saved', { name: body.name }));
      leave();
    },
  });
  const { values, set, field, faultOf, dialog } = form;
  return (
    <form noValidate onSubmit={dialog.onSubmit} className={classes.page}>
      {over.dialog}
      <Section title={t('alerts.parts.what')}>
        <div className={classes.fields}>
          <TextInput {...field('name')} label={t('alerts.name')} maxLength={120} data-autofocus />
          <KindField form={form} />
          <ScopeField
            scope={values.scope}
            table={values.table}
            error={faultOf('scope')}
            onChange={(scope) => set({ scope })}
          />
          <ConditionFields form={form} />
        </div>
      </Section>
      <Section title={t('alerts.parts.when')}>
        <TimingFields form={form} />
      </Section>
      <Section title={t('alerts.parts.told')}>
        <div className={classes.fields}>
          <SeverityFields form={form} />
          <NotifyFields
            notify={values.notify}
            error={faultOf('notify')}
            onChange={(notify) => set({ notify })}
          />
        </div>
      </Section>
      <Section title={t('alerts.parts.help')} context={t('alerts.parts.helpText')}>
        <WordsFields form={form} />
      </Section>
      <AlertTest draft={values} saved={saved} />
      <div className={classes.end}>
        <Switch
          label={t('alerts.enabled')}
          checked={values.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
        <Group gap="xs" ml="auto">
          {saved ? (
            <VersionsButton
              kind="alert"
              id={saved._id}
              name={saved.name}
              mayRestore
              onRestored={async () => onOpen(await newestAlert(wg, saved._id))}
            />
          ) : null}
          {saved ? (
            <Button variant="subtle" color="var(--al-danger)" onClick={() => setRemoving(true)}>
              {t('alerts.remove')}
            </Button>
          ) : null}
          <Button variant="default" onClick={leave}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" loading={dialog.isWorking}>
            {t('actions.save')}
          </Button>
        </Group>
        <Failure text={dialog.failure} />
      </div>
      {isRemoving && saved ? (
        <ConfirmDialog
          confirm={confirmText(t('alerts.remove'), saved.name)}
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await removeAlert(wg, saved._id);
            notifyDone(t('alerts.removed', { name: saved.name }));
            leave();
          }}
        >
          {t('alerts.removeText', { name: saved.name })}
        </ConfirmDialog>
      ) : null}
    </form>
  );
}
