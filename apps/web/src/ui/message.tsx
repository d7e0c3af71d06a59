import { Button } from '@mantine/core';
import { CardHead } from './card-head.tsx';
import classes from './message.module.css';
import card from './public-card.module.css';

export interface MessageProps {
  title: string;
  text?: string;
  action?: { label: string; onClick: () => void };
  /** It stands in place of a screen, inside the shell, which has the landmark. */
  isInside?: boolean;
}

/** A whole screen that says one thing and offers the next step. */
export function Message({ title, text, action, isInside = false }: MessageProps) {
  const Landmark = isInside ? 'div' : 'main';
  return (
    <Landmark className={isInside ? classes.inside : card.screen}>
      <div className={card.card}>
        <CardHead title={title} />
        {text ? <p className={classes.text}>{text}</p> : null}
        {action ? (
          <Button size="md" onClick={action.onClick} fullWidth>
            {action.label}
          </Button>
        ) : null}
      </div>
    </Landmark>
  );
}
