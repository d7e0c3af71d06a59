import { announced } from '../../app/inside.ts';
import { useWorkgroup } from '../../app/session.ts';
import classes from './access-control.module.css';
import { rulesChanged } from './access-control.queries.ts';
import { AccessControlNote } from './access-control-note.tsx';
import { RulesSection } from './rules-section.tsx';
import { WhySection } from './why-section.tsx';

/** The rules, why somebody may do something, and what rules can name. */
export function AccessControlPage() {
  const wg = useWorkgroup();
  return (
    <div className={classes.page}>
      <AccessControlNote />
      <RulesSection />
      <WhySection />
      {announced('accessControl').map(({ at, Content }) => (
        <Content key={at} onChanged={() => void rulesChanged(wg)} />
      ))}
    </div>
  );
}
