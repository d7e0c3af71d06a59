import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { writeNote } from '../../app/incidents/incidents-query.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import classes from './incidents.module.css';

/** Writes into the timeline of an incident, for whoever looks at it next. */
export function NoteForm({ incident }: { incident: string }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [text, setText] = useState('');
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    if (text.trim() === '') return;
    await writeNote(wg, incident, text.trim());
    setText('');
  });
  return (
    <form className={classes.noteForm} onSubmit={handleSubmit}>
      <Textarea
        autosize
        minRows={1}
        maxRows={6}
        maxLength={2000}
        aria-label={t('incidents.note')}
        placeholder={t('incidents.noteExample')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={isWorking} disabled={text.trim() === ''}>
        {t('incidents.addNote')}
      </Button>
      <Failure text={failure} />
    </form>
  );
}
