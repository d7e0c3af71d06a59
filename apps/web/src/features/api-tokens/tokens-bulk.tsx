import type { ApiToken } from '@albedo/contract/api-tokens/api-tokens.schema';
import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { runBulk } from '../../app/run-bulk.ts';
import { useWorkgroup } from '../../app/session.ts';
import { severalNames } from '../../ui/several-names.ts';
import { revokeApiTokens } from './api-tokens.queries.ts';
import { stateOf } from './token-state.ts';

interface TokensBulkProps {
  tokens: readonly ApiToken[];
  onDone: () => void;
}

const nameOf = ({ owner }: ApiToken): string => owner;

/** What can be done with several tokens at once; those that ended are left out. */
export function TokensBulk({ tokens, onDone }: TokensBulkProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(60_000);
  // As they were when it was asked: what is revoked meanwhile does not change the question.
  const [asked, setAsked] = useState<readonly ApiToken[] | null>(null);
  const live = tokens.filter((token) => stateOf(token, now) === 'active');
  return (
    <>
      <Button
        variant="subtle"
        color="var(--al-danger)"
        leftSection={<IconBan size={16} />}
        disabled={live.length === 0}
        onClick={() => setAsked(live)}
      >
        {t('apiTokens.revoke')}
      </Button>
      {asked ? (
        <ConfirmDialog
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            await runBulk(asked, nameOf, (ids) => revokeApiTokens(wg, ids));
            notifyDone(t('apiTokens.revokedMany', { count: asked.length }));
            onDone();
          }}
        >
          {t('apiTokens.revokeMany', { count: asked.length })} {severalNames(t, asked.map(nameOf))}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
