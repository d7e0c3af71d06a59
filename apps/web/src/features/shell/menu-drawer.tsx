import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSoonOpen } from '../../ui/use-soon-open.ts';

interface MenuDrawerProps {
  isOpen: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** The menu of narrow screens. */
export function MenuDrawer({ isOpen, title, onClose, children }: MenuDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={useSoonOpen(isOpen)}
      onClose={onClose}
      size={280}
      title={title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <nav id="menu" aria-label={t('shell.menu')}>
        {children}
      </nav>
    </Drawer>
  );
}
