import type { Drawing } from '@albedo/contract/boards/widgets/diagram';
import { Button, Modal, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../../../app/entity-world-query.ts';
import { DiagramEditor } from './diagram-editor.tsx';

interface DiagramFieldProps {
  label: string;
  value: Drawing;
  world: KnownWorld;
  onChange: (value: Drawing) => void;
}

/** Opens the sheet on which the diagram is drawn. */
export function DiagramField({ label, value, world, onChange }: DiagramFieldProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const parts = t('boards.diagram.partsOf', { count: value.nodes.length });
  const lines = t('boards.diagram.linesOf', { count: value.edges.length });
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      <Text size="sm" c="dimmed" mb={6}>{`${parts}, ${lines}`}</Text>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPencil size={14} />}
        onClick={() => setOpen(true)}
      >
        {t('boards.diagram.draw')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        fullScreen
        title={t('boards.diagram.sheet')}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <DiagramEditor value={value} world={world} onChange={onChange} />
      </Modal>
    </div>
  );
}
