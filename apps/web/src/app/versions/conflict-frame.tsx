import { Button, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './versions.module.css';

interface ConflictFrameProps {
  title: string;
  /** What the three buttons are called. */
  labels: { merge: string; yours: string; theirs: string };
  text: string;
  /** What each of the two changed. */
  yours: ReactNode;
  theirs: ReactNode;
  /** What both changed, where that is anything. */
  both: string | null;
  onMerge: () => void;
  onYours: () => void;
  onTheirs: () => void;
  onClose: () => void;
}

/** Somebody else saved meanwhile: what each of the two changed, and which version is to stand. */
export function ConflictFrame({ title, labels, text, yours, theirs, both, ...on }: ConflictFrameProps) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={on.onClose} title={title} closeButtonProps={{ 'aria-label': t('actions.close') }}>
      <Stack gap="sm">
        <Text size="sm">{text}</Text>
        {yours}
        {theirs}
        {both === null ? null : <Text size="sm">{both}</Text>}
        <Button onClick={on.onMerge}>{labels.merge}</Button>
        <Button variant="default" onClick={on.onYours}>
          {labels.yours}
        </Button>
        <Button variant="default" onClick={on.onTheirs}>
          {labels.theirs}
        </Button>
      </Stack>
    </Modal>
  );
}

/** One of two versions, with what it changed. */
export function ChangedVersion({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Text size="sm" fw={550} component="h3">
        {title}
      </Text>
      {children}
    </section>
  );
}

/** Changes, a line each. */
export const ChangedLines = ({ lines }: { lines: readonly string[] }) => (
  <ul className={classes.changes}>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
