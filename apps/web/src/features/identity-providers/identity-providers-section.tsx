import { scopeIn } from '@albedo/contract/access/permissions';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { notifyDone } from '../../app/notify.ts';
import { usePermission } from '../../app/permissions.ts';
import { useSignedIn, useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { setProvider, signInSettingsQuery } from './identity-providers.queries.ts';
import { ProviderFacts } from './provider-facts.tsx';
import { ProviderForm } from './provider-form.tsx';

/** The section among the settings, for people who manage access. */
export const IdentityProvidersOfWorkgroup = () =>
  usePermission('manageAccess') ? <IdentityProvidersSection /> : null;

/** How the workgroup signs in: its identity provider, and what has to be entered there. */
export function IdentityProvidersSection() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const isOwner = scopeIn(useSignedIn().user, wg)?.role === 'owner';
  const { data: settings, error, refetch } = useQuery(signInSettingsQuery(wg));
  const [isEditing, setEditing] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  if (!settings) {
    return (
      <Section title={t('identityProviders.title')}>
        {error ? (
          <ErrorState title={t('identityProviders.failed')} error={error} onRetry={() => void refetch()} />
        ) : (
          <FormSkeleton fields={2} />
        )}
      </Section>
    );
  }
  const { provider } = settings;
  const showsForm = isOwner && (isEditing || provider === null);
  return (
    <Section title={t('identityProviders.title')} context={t('identityProviders.context')}>
      <Stack gap="md">
        {provider && !isEditing ? <ProviderFacts provider={provider} settings={settings} /> : null}
        {provider === null && !isOwner ? <Text>{t('identityProviders.none')}</Text> : null}
        {isOwner ? null : (
          <Text size="sm" c="dimmed">
            {t('identityProviders.ownersOnly')}
          </Text>
        )}
        {showsForm ? (
          <ProviderForm
            settings={settings}
            onDone={() => setEditing(false)}
            onCancel={provider ? () => setEditing(false) : null}
          />
        ) : null}
        {isOwner && provider && !isEditing ? (
          <Group gap="xs">
            <Button variant="default" onClick={() => setEditing(true)}>
              {t('identityProviders.change')}
            </Button>
            <Button variant="default" onClick={() => setRemoving(true)}>
              {t('identityProviders.remove')}
            </Button>
          </Group>
        ) : null}
      </Stack>
      {isRemoving && provider ? (
        <ConfirmDialog
          confirm={confirmText(t('identityProviders.remove'), provider.name)}
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await setProvider(wg, null);
            notifyDone(t('identityProviders.removed', { name: provider.name }));
          }}
        >
          {t('identityProviders.removeText', { name: provider.name, count: provider.people })}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}
