import {
  newOidcProvider,
  newSamlProvider,
  type ProviderKind,
  type SignInSettings,
} from '@albedo/contract/identity-providers/identity-providers.schema';
import { Button, Group, PasswordInput, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
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

const newProvider = z.discriminatedUnion('kind', [newSamlProvider, newOidcProvider]);
const typedProvider = z.custom<Draft>().transform(changeOf).pipe(newProvider);

/** Sets the identity provider up; the server reads it and says what is wrong with it. */
export function ProviderForm({ settings, onDone, onCancel }: ProviderFormProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { provider } = settings;
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: typedProvider,
    initial: draftOf(provider),
    refusals: {
      'sso.metadata_invalid': 'metadata',
      'sso.address_failed': 'metadataUrl',
      'sso.issuer_failed': 'issuer',
      'sso.secret_missing': 'clientSecret',
    },
    send: async (wanted) => {
      await setProvider(wg, wanted);
      notifyDone(t('identityProviders.saved', { name: wanted.name }));
      onDone();
    },
  });
  const fields = { values, set, field, faultOf };

  return (
    <div className={classes.columns}>
      <form noValidate className={classes.form} onSubmit={dialog.onSubmit}>
        <SegmentedControl
          aria-label={t('identityProviders.protocol')}
          value={values.kind}
          onChange={(kind) => set({ kind: kind as ProviderKind })}
          data={[
            { value: 'saml', label: t('identityProviders.kind.saml') },
            { value: 'oidc', label: t('identityProviders.kind.oidc') },
          ]}
        />
        <TextInput
          {...field('name')}
          label={t('identityProviders.name')}
          description={t('identityProviders.nameHelp')}
        />
        {values.kind === 'saml' ? (
          <SamlFields {...fields} />
        ) : (
          <OidcFields {...fields} keepsSecret={provider?.kind === 'oidc' && provider.hasSecret} />
        )}
        <Failure text={dialog.failure} />
        <Group gap="xs">
          <Button type="submit" loading={dialog.isWorking} disabled={!isComplete(values)}>
            {t('identityProviders.save')}
          </Button>
          {onCancel ? (
            <Button variant="default" onClick={onCancel}>
              {t('actions.cancel')}
            </Button>
          ) : null}
        </Group>
      </form>
      <OwnFacts kind={values.kind} settings={settings} />
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

type FieldsProps = Pick<
  ReturnType<typeof useContractForm<Draft, unknown>>,
  'values' | 'set' | 'field' | 'faultOf'
>;

function SamlFields({ values, set, field, faultOf }: FieldsProps) {
  const { t } = useTranslation();
  const [files, setFiles] = useState<File[]>([]);
  async function handleFiles(next: File[]) {
    setFiles(next);
    const [file] = next;
    if (file) set({ metadata: await file.text() });
  }
  return (
    <>
      <SegmentedControl
        aria-label={t('identityProviders.metadataFrom')}
        value={values.from}
        onChange={(from) => set({ from: from as Draft['from'] })}
        data={[
          { value: 'address', label: t('identityProviders.fromAddress') },
          { value: 'text', label: t('identityProviders.fromFile') },
        ]}
      />
      {values.from === 'address' ? (
        <TextInput
          {...field('metadataUrl')}
          // What was read there is what is wrong with the address.
          error={faultOf('metadataUrl') ?? faultOf('metadata')}
          type="url"
          label={t('identityProviders.metadataUrl')}
          description={t('identityProviders.metadataUrlHelp')}
          placeholder="https://"
          onChange={(event) => set({ metadataUrl: event.currentTarget.value, metadata: values.metadata })}
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
            {...field('metadata')}
            label={t('identityProviders.metadata')}
            description={t('identityProviders.metadataHelp')}
            rows={6}
            spellCheck={false}
            classNames={{ input: classes.code ?? '' }}
          />
        </>
      )}
    </>
  );
}

function OidcFields({ field, keepsSecret }: FieldsProps & { keepsSecret: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        {...field('issuer')}
        type="url"
        label={t('identityProviders.issuer')}
        description={t('identityProviders.issuerHelp')}
        placeholder="https://"
      />
      <TextInput {...field('clientId')} label={t('identityProviders.clientId')} autoComplete="off" />
      <PasswordInput
        {...field('clientSecret')}
        label={t('identityProviders.clientSecret')}
        description={t(keepsSecret ? 'identityProviders.secretStays' : 'identityProviders.secretHelp')}
        autoComplete="off"
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

/** What is sent of the draft, before it is checked. */
function changeOf(draft: Draft): z.input<typeof newProvider> {
  const { name } = draft;
  if (draft.kind === 'saml') {
    const source =
      draft.from === 'address' ? { metadataUrl: draft.metadataUrl } : { metadata: draft.metadata };
    return { kind: 'saml', name, ...source };
  }
  const { clientSecret } = draft;
  const secret = clientSecret === '' ? {} : { clientSecret };
  return { kind: 'oidc', name, issuer: draft.issuer, clientId: draft.clientId, ...secret };
}
