import { type Info, shownInfo } from '@albedo/contract/metadata/metadata.schema';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './info.module.css';
import { UnknownZones } from './unknown-zones.tsx';

interface InfoListProps {
  info: Info;
  /** The fields that the workgroup chose, in their order; what else there is waits behind a button. */
  keys: readonly string[];
}

/** Some metadata, as everybody reads it. */
export function InfoList({ info, keys }: InfoListProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const { shown, others } = shownInfo(info, keys);
  return (
    <>
      <UnknownZones facts={info} />
      <dl className={classes.list}>
        {[...shown, ...(isWhole ? others : [])].map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={text === null ? classes.none : undefined}>{text ?? t('device.info.notSaid')}</dd>
          </div>
        ))}
      </dl>
      {others.length > 0 ? (
        <Button
          variant="subtle"
          size="compact-xs"
          mt={8}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t('device.info.fewer') : t('device.info.others', { count: others.length })}
        </Button>
      ) : null}
    </>
  );
}
