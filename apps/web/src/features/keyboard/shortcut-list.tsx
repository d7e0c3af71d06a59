import { Modal, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Command } from '../../app/feature.ts';
import { setKeysOn, useAreKeysOn } from '../../app/shortcuts.ts';
import { Keys } from '../../ui/keys.tsx';
import classes from './keyboard.module.css';

interface ShortcutListProps {
  commands: readonly Command[];
  onClose: () => void;
}

const GROUPS = ['go', 'do', 'list'] as const;
const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** All keys that do something on this screen. */
export function ShortcutList({ commands, onClose }: ShortcutListProps) {
  const { t } = useTranslation();
  const isOn = useAreKeysOn();
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('keyboard.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <div className={classes.groups}>
        {GROUPS.map((group) => {
          const own = commands.filter((one) => one.group === group && one.keys);
          if (own.length === 0) return null;
          return (
            <section key={group} className={classes.group}>
              <h3>{t(`keyboard.groups.${group}`)}</h3>
              <dl>
                {group === 'do' ? (
                  <div>
                    <dt>{t('keyboard.search')}</dt>
                    <dd>
                      <Keys keys={isApple ? '⌘ K' : 'Ctrl K'} />
                    </dd>
                  </div>
                ) : null}
                {own.map(({ id, title, keys = '' }) => (
                  <div key={id}>
                    <dt>{title}</dt>
                    <dd>
                      <Keys keys={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
      <Switch
        mt="md"
        label={t('keyboard.isOn')}
        description={t('keyboard.isOnHelp')}
        checked={isOn}
        onChange={(event) => setKeysOn(event.currentTarget.checked)}
      />
    </Modal>
  );
}
