import { type LookupTable, newLookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { saveLookupTable } from './lookup-tables.queries.ts';
import { codeOf, type Upload } from './table-from-csv.ts';
import { UploadField } from './upload-field.tsx';
import { ValuePreview } from './value-preview.tsx';

/** Makes a lookup table from a file, or changes one; a new file takes the place of all values. */
export function LookupTableDialog({ table, onClose }: { table: LookupTable | null; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [content, setContent] = useState<Pick<LookupTable, 'fields' | 'values'> | null>(table);
  // Until somebody writes a code it follows the name.
  const [hasOwnCode, setOwnCode] = useState(table !== null);
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: newLookupTable,
    initial: table ?? { name: '', code: '', fields: [], values: [] },
    refusals: { 'lookup_table.code_taken': 'code' },
    send: async (wanted) => {
      await saveLookupTable(wg, table?._id ?? null, wanted);
      notifyDone(t('lookupTables.saved', { name: wanted.name }));
      onClose();
    },
  });
  const rename = (name: string) => set(hasOwnCode ? { name } : { name, code: codeOf(name) });
  function handleRead(read: Upload | null, file: string) {
    const next = read ?? table;
    setContent(next);
    set({ fields: next?.fields ?? [], values: next?.values ?? [] });
    if (read && values.name === '') rename(file.replace(/\.\w+$/, '').slice(0, 80));
  }

  return (
    <FormDialog
      {...dialog}
      size="lg"
      title={table ? t('lookupTables.changeTitle', { name: table.name }) : t('lookupTables.create')}
      isDisabled={content === null}
      failure={dialog.failure ?? faultOf('fields') ?? faultOf('values') ?? null}
      onClose={onClose}
    >
      <TextInput
        {...field('name')}
        data-autofocus
        label={t('lookupTables.name')}
        autoComplete="off"
        maxLength={80}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <TextInput
        {...field('code')}
        label={t('lookupTables.code')}
        description={t('lookupTables.codeHelp')}
        autoComplete="off"
        maxLength={80}
        onChange={(event) => {
          setOwnCode(true);
          set({ code: event.currentTarget.value });
        }}
      />
      <UploadField onRead={handleRead} />
      {content && content.values.length > 0 ? <ValuePreview {...content} /> : null}
    </FormDialog>
  );
}
