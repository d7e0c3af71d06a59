import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './shells.module.css';

/** What keyboards of phones do not have; without them nothing ends a running program. */
const KEYS = {
  Esc: '\x1b',
  Tab: '\t',
  'Ctrl C': '\x03',
  'Ctrl D': '\x04',
  '←': '\x1b[D',
  '↑': '\x1b[A',
  '↓': '\x1b[B',
  '→': '\x1b[C',
} as const;

const NAMED = { '←': 'left', '↑': 'up', '↓': 'down', '→': 'right' } as const;

const ARROWS = new Set<string>(Object.keys(NAMED).map((arrow) => KEYS[arrow as keyof typeof NAMED]));

/**
 * Shown where people have no keyboard with all keys. `onKey` gets what a terminal sends for it; full-screen programs may
 * ask for other arrows, see `arrowFor`.
 */
export function TerminalKeys({ onKey }: { onKey: (text: string) => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.keys} role="toolbar" aria-label={t('shells.keys.all')}>
      {Object.entries(KEYS).map(([label, text]) => (
        <Button
          key={label}
          variant="default"
          size="compact-sm"
          aria-label={label in NAMED ? t(`shells.keys.${NAMED[label as keyof typeof NAMED]}`) : undefined}
          // The terminal keeps the focus, and the keyboard on the screen stays.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onKey(text)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** An arrow as programs want it that have switched to the cursor keys of applications (editors, pagers). */
export const arrowFor = (text: string, isApplication: boolean): string =>
  isApplication && ARROWS.has(text) ? text.replace('[', 'O') : text;

/**
 * Text that comes without a key: dictation, words that a phone completes, a palette of emoji. A terminal that speaks to
 * screen readers leaves it alone. What this answers ends it.
 */
export function listenForText(area: HTMLTextAreaElement, onText: (text: string) => void): () => void {
  let isKeyDown = false;
  const handleDown = () => {
    isKeyDown = true;
  };
  const handleUp = () => {
    isKeyDown = false;
  };
  const handleInput = ({ data, inputType, isComposing }: InputEvent) => {
    if (data && inputType === 'insertText' && !isComposing && !isKeyDown) onText(data);
  };
  area.addEventListener('keydown', handleDown, true);
  area.addEventListener('keyup', handleUp, true);
  area.addEventListener('blur', handleUp, true);
  area.addEventListener('input', handleInput as EventListener, true);
  return () => {
    area.removeEventListener('keydown', handleDown, true);
    area.removeEventListener('keyup', handleUp, true);
    area.removeEventListener('blur', handleUp, true);
    area.removeEventListener('input', handleInput as EventListener, true);
  };
}
