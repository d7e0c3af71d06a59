import { Logo } from './logo.tsx';
import card from './public-card.module.css';

/** The mark and the title of a card that stands alone. */
export function CardHead({ title, id }: { title: string; id?: string }) {
  return (
    <header className={card.head}>
      <span className={card.mark}>
        <Logo size={26} />
      </span>
      <h1 {...(id ? { id } : {})} className={card.title}>
        {title}
      </h1>
    </header>
  );
}
