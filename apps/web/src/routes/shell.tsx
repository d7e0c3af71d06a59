import { GlobalSearch } from '../features/search/global-search.tsx';
import { Shell } from '../features/shell/shell.tsx';

/** What stands around every screen behind sign-in. */
export const ShellLayout = () => <Shell search={<GlobalSearch />} />;
