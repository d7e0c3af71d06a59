import { Logo } from '../../ui/logo.tsx';
import classes from './accounts.module.css';

/** The mark and the title of a card that stands alone. */
export function CardHead({ title, id }: { title: string; id?: string }) {
  return (
    <header className={classes.head}>
      <span className={classes.mark}>
        <Logo size={26} />
      </span>
      <h1 {...(id ? { id } : {})} className={classes.title}>
        {title}
      </h1>
    </header>
  );
}
