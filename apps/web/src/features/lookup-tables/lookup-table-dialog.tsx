import {
  type LookupTable,
  type NewLookupTable,
  newLookupTable,
} from '@albedo/contract/lookup-tables/lookup-tables.schema';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Faults, faultsOf } from '../../app/faults.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { saveLookupTable } from './lookup-tables.queries.ts';
import { codeOf, type Upload } from './table-from-csv.ts';
import { UploadField } from './upload-field.tsx';
import { ValuePreview } from './value-preview.tsx';

/** Makes a lookup table from a file, or changes one; a new file takes the place of all values. */
export function LookupTableDialog({ table, onClose }: { table: LookupTable | null; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [name, setName] = useState(table?.name ?? '');
  const [ownCode, setOwnCode] = useState(table?.code ?? null);
  const [upload, setUpload] = useState<Upload | null>(null);
  const [faults, setFaults] = useState<Faults<NewLookupTable>>({});
  const code = ownCode ?? codeOf(name);
  const content = upload ?? table;

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const { fields, values } = content ?? { fields: [], values: [] };
    const parsed = newLookupTable.safeParse({ code, name, fields, values });
    setFaults(faultsOf(parsed.error));
    if (!parsed.success) return;
    await saveLookupTable(wg, table?._id ?? null, parsed.data);
    notifyDone(t('lookupTables.saved', { name: parsed.data.name }));
    onClose();
  });

  return (
    <FormDialog
      size="lg"
      title={table ? t('lookupTables.changeTitle', { name: table.name }) : t('lookupTables.create')}
      isWorking={isWorking}
      isDisabled={content === null}
      failure={failure ?? faults.fields ?? faults.values ?? null}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('lookupTables.name')}
        autoComplete="off"
        maxLength={80}
        value={name}
        error={faults.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t('lookupTables.code')}
        description={t('lookupTables.codeHelp')}
        autoComplete="off"
        maxLength={80}
        value={code}
        error={faults.code}
        onChange={(event) => setOwnCode(event.currentTarget.value)}
      />
      <UploadField
        onRead={(read, file) => {
          setUpload(read);
          if (read && name === '') setName(file.replace(/\.\w+$/, '').slice(0, 80));
        }}
      />
      {content && content.values.length > 0 ? <ValuePreview {...content} /> : null}
    </FormDialog>
  );
}
