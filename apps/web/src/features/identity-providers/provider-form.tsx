import type {
  ProviderChange,
  ProviderKind,
  SignInSettings,
} from '@albedo/contract/identity-providers/identity-providers.schema';
import { Button, Group, PasswordInput, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import classes from './identity-providers.module.css';
import { setProvider } from './identity-providers.queries.ts';
import { OwnFacts } from './own-facts.tsx';

const METADATA_BYTES = 500_000;

interface ProviderFormProps {
  settings: SignInSettings;
  onDone: () => void;
  /** Null where there is nothing to go back to. */
  onCancel: (() => void) | null;
}

/** Sets the identity provider up; the server reads it and says what is wrong with it. */
export function ProviderForm({ settings, onDone, onCancel }: ProviderFormProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { provider } = settings;
  const [draft, setDraft] = useState(() => draftOf(provider));
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    await setProvider(wg, changeOf(draft));
    notifyDone(t('identityProviders.saved', { name: draft.name.trim() }));
    onDone();
  });

  return (
    <div className={classes.columns}>
      <form noValidate className={classes.form} onSubmit={handleSubmit}>
        <SegmentedControl
          aria-label={t('identityProviders.protocol')}
          value={draft.kind}
          onChange={(kind) => change({ kind: kind as ProviderKind })}
          data={[
            { value: 'saml', label: t('identityProviders.kind.saml') },
            { value: 'oidc', label: t('identityProviders.kind.oidc') },
          ]}
        />
        <TextInput
          label={t('identityProviders.name')}
          description={t('identityProviders.nameHelp')}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        {draft.kind === 'saml' ? (
          <SamlFields draft={draft} change={change} />
        ) : (
          <OidcFields
            draft={draft}
            change={change}
            keepsSecret={provider?.kind === 'oidc' && provider.hasSecret}
          />
        )}
        <Failure text={failure} />
        <Group gap="xs">
          <Button type="submit" loading={isWorking} disabled={!isComplete(draft)}>
            {t('identityProviders.save')}
          </Button>
          {onCancel ? (
            <Button variant="default" onClick={onCancel}>
              {t('actions.cancel')}
            </Button>
          ) : null}
        </Group>
      </form>
      <OwnFacts kind={draft.kind} settings={settings} />
    </div>
  );
}

interface Draft {
  kind: ProviderKind;
  name: string;
  from: 'address' | 'text';
  metadataUrl: string;
  metadata: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

interface FieldsProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}

function SamlFields({ draft, change }: FieldsProps) {
  const { t } = useTranslation();
  const [files, setFiles] = useState<File[]>([]);
  async function handleFiles(next: File[]) {
    setFiles(next);
    const [file] = next;
    if (file) change({ metadata: await file.text() });
  }
  return (
    <>
      <SegmentedControl
        aria-label={t('identityProviders.metadataFrom')}
        value={draft.from}
        onChange={(from) => change({ from: from as Draft['from'] })}
        data={[
          { value: 'address', label: t('identityProviders.fromAddress') },
          { value: 'text', label: t('identityProviders.fromFile') },
        ]}
      />
      {draft.from === 'address' ? (
        <TextInput
          type="url"
          label={t('identityProviders.metadataUrl')}
          description={t('identityProviders.metadataUrlHelp')}
          placeholder="https://"
          value={draft.metadataUrl}
          onChange={(event) => change({ metadataUrl: event.currentTarget.value })}
        />
      ) : (
        <>
          <FileDrop
            label={t('identityProviders.dropMetadata')}
            files={files}
            onChange={(next) => void handleFiles(next)}
            limits={{ count: 1, fileBytes: METADATA_BYTES, totalBytes: METADATA_BYTES }}
          />
          <Textarea
            label={t('identityProviders.metadata')}
            description={t('identityProviders.metadataHelp')}
            rows={6}
            spellCheck={false}
            classNames={{ input: classes.code ?? '' }}
            value={draft.metadata}
            onChange={(event) => change({ metadata: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}

function OidcFields({ draft, change, keepsSecret }: FieldsProps & { keepsSecret: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        type="url"
        label={t('identityProviders.issuer')}
        description={t('identityProviders.issuerHelp')}
        placeholder="https://"
        value={draft.issuer}
        onChange={(event) => change({ issuer: event.currentTarget.value })}
      />
      <TextInput
        label={t('identityProviders.clientId')}
        autoComplete="off"
        value={draft.clientId}
        onChange={(event) => change({ clientId: event.currentTarget.value })}
      />
      <PasswordInput
        label={t('identityProviders.clientSecret')}
        description={t(keepsSecret ? 'identityProviders.secretStays' : 'identityProviders.secretHelp')}
        autoComplete="off"
        value={draft.clientSecret}
        onChange={(event) => change({ clientSecret: event.currentTarget.value })}
        visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
      />
    </>
  );
}

const draftOf = (provider: SignInSettings['provider']): Draft => ({
  kind: provider?.kind ?? 'saml',
  name: provider?.name ?? '',
  from: provider?.kind === 'saml' && provider.metadataUrl === null ? 'text' : 'address',
  metadataUrl: provider?.kind === 'saml' ? (provider.metadataUrl ?? '') : '',
  metadata: '',
  issuer: provider?.kind === 'oidc' ? provider.issuer : '',
  clientId: provider?.kind === 'oidc' ? provider.clientId : '',
  clientSecret: '',
});

function isComplete({ kind, name, from, metadataUrl, metadata, issuer, clientId }: Draft): boolean {
  const needed = kind === 'oidc' ? [issuer, clientId] : [from === 'address' ? metadataUrl : metadata];
  return [name, ...needed].every((text) => text.trim() !== '');
}

function changeOf(draft: Draft): NonNullable<ProviderChange['provider']> {
  const name = draft.name.trim();
  if (draft.kind === 'saml') {
    const source =
      draft.from === 'address' ? { metadataUrl: draft.metadataUrl.trim() } : { metadata: draft.metadata };
    return { kind: 'saml', name, ...source };
  }
  const { clientSecret } = draft;
  const secret = clientSecret === '' ? {} : { clientSecret };
  return { kind: 'oidc', name, issuer: draft.issuer.trim(), clientId: draft.clientId.trim(), ...secret };
}
