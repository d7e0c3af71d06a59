import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { later } from '../later.ts';
import { notifyDone } from '../notify.ts';
import { runBulk } from '../run-bulk.ts';
import type { BulkAction } from './actions.ts';

const ConfirmDialog = later(async () => (await import('../confirm-dialog.tsx')).ConfirmDialog);

interface BulkButtonsProps<T> {
  rows: readonly T[];
  nameOf: (row: T) => string;
  actions: readonly BulkAction<T>[];
  untick: () => void;
}

/** Buttons for the rows that are ticked, and what they ask. */
export function BulkButtons<T extends { _id: string }>({
  rows,
  nameOf,
  actions,
  untick,
}: BulkButtonsProps<T>) {
  // The rows as they were when it was asked: what changes meanwhile does not change the question.
  const [open, setOpen] = useState<{ action: BulkAction<T>; rows: readonly T[] } | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      {actions.map((action) => {
        const concerned = action.of ? action.of(rows) : rows;
        return (
          <Button
            key={action.id}
            {...(action.isDangerous
              ? { variant: 'subtle', color: 'var(--al-danger)' }
              : { variant: 'default' })}
            leftSection={action.icon}
            disabled={concerned.length === 0}
            onClick={() => setOpen({ action, rows: concerned })}
          >
            {action.title}
          </Button>
        );
      })}
      {open && 'dialog' in open.action ? open.action.dialog(open.rows, { close, untick }) : null}
      {open && 'ask' in open.action ? (
        <Suspense>
          <Asked rows={open.rows} nameOf={nameOf} action={open.action} onClose={close} onDone={untick} />
        </Suspense>
      ) : null}
    </>
  );
}

interface AskedProps<T> {
  rows: readonly T[];
  nameOf: (row: T) => string;
  action: Extract<BulkAction<T>, { ask: unknown }>;
  onClose: () => void;
  onDone: () => void;
}

function Asked<T extends { _id: string }>({ rows, nameOf, action, onClose, onDone }: AskedProps<T>) {
  const { text, isHarmless = false } = action.ask(rows);
  return (
    <ConfirmDialog
      confirm={action.title}
      isHarmless={isHarmless}
      onClose={onClose}
      onConfirm={async () => {
        await runBulk(rows, nameOf, action.run);
        notifyDone(action.done(rows));
        onDone();
      }}
    >
      {text}
    </ConfirmDialog>
  );
}
