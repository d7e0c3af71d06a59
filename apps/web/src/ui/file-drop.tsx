import '@mantine/dropzone/styles.layer.css';
import { CloseButton } from '@mantine/core';
import { Dropzone, type FileRejection } from '@mantine/dropzone';
import { IconPaperclip, IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './file-drop.module.css';
import { localeTag } from './units/locale.ts';

export interface FileDropProps {
  /** What to do with it, such as 'Attach files'. */
  label: string;
  files: readonly File[];
  onChange: (files: File[]) => void;
  /** How many, and how large each and all of them may be, in bytes. */
  limits: { count: number; fileBytes: number; totalBytes: number };
  /** Media types; any without them. */
  types?: string[];
}

/** Files to drop, paste by choice or take away again; what is too much is said by name and not taken. */
export function FileDrop({ label, files, onChange, limits, types }: FileDropProps) {
  const { t } = useTranslation();
  const open = useRef<() => void>(null);
  const [faults, setFaults] = useState<string[]>([]);

  function handleDrop(dropped: File[], rejections: FileRejection[]) {
    // Where there is room for one, another one takes its place.
    const kept = limits.count === 1 && dropped.length === 1 ? [] : files;
    const taken = [...kept];
    const problems = rejections.map(({ file }) =>
      file.size > limits.fileBytes
        ? t('files.tooLarge', { name: file.name, limit: sizeText(limits.fileBytes) })
        : t('files.wrongKind', { name: file.name }),
    );
    for (const file of dropped) {
      const total = taken.reduce((sum, one) => sum + one.size, file.size);
      if (file.size === 0) problems.push(t('files.empty', { name: file.name }));
      else if (taken.length >= limits.count) problems.push(t('files.tooMany', { count: limits.count }));
      else if (total > limits.totalBytes)
        problems.push(t('files.tooMuch', { name: file.name, limit: sizeText(limits.totalBytes) }));
      else taken.push(file);
    }
    setFaults([...new Set(problems)]);
    if (taken.length > kept.length) onChange(taken);
  }

  return (
    <div className={classes.fileDrop}>
      <Dropzone
        className={classes.zone ?? ''}
        openRef={open}
        onDrop={() => {}}
        onDropAny={handleDrop}
        maxSize={limits.fileBytes}
        multiple={limits.count > 1}
        {...(types ? { accept: types } : {})}
        // The button inside is what the keyboard reaches and what is read out.
        activateOnClick={false}
        activateOnKeyboard={false}
        enablePointerEvents
        inputProps={{ 'aria-label': label }}
      >
        <button type="button" className={classes.invitation} onClick={() => open.current?.()}>
          <IconUpload size={18} stroke={1.7} aria-hidden="true" />
          <span>
            {label}
            <span className={classes.limits}>
              {t(limits.count > 1 ? 'files.limits' : 'files.limit', {
                count: limits.count,
                each: sizeText(limits.fileBytes),
                total: sizeText(limits.totalBytes),
              })}
            </span>
          </span>
        </button>
      </Dropzone>
      {faults.length > 0 ? (
        <div role="alert" className={classes.faults}>
          {faults.map((fault) => (
            <div key={fault}>{fault}</div>
          ))}
        </div>
      ) : null}
      {files.length > 0 ? (
        <ul className={classes.files}>
          {files.map((file, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be there twice
            <li key={`${index} ${file.name}`}>
              <IconPaperclip size={16} stroke={1.7} aria-hidden="true" />
              <span className={classes.name}>{file.name}</span>
              <span className={classes.size}>{sizeText(file.size)}</span>
              <CloseButton
                size="sm"
                aria-label={t('files.remove', { name: file.name })}
                onClick={() => {
                  setFaults([]);
                  onChange(files.filter((_, at) => at !== index));
                }}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** A size as people compare it with a limit: `340 kB`, `10 MB`, `5 GB`. */
export function sizeText(bytes: number): string {
  const [unit, size, decimals] =
    bytes >= 1e9
      ? (['gigabyte', bytes / 1e9, 2] as const)
      : bytes >= 1e6
        ? (['megabyte', bytes / 1e6, 1] as const)
        : (['kilobyte', Math.max(1, bytes / 1000), 0] as const);
  return new Intl.NumberFormat(localeTag(), { style: 'unit', unit, maximumFractionDigits: decimals }).format(
    size,
  );
}
