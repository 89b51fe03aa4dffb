import { Page } from '../components/page.tsx';
import { Link } from '../shell/environment.tsx';

/** For an address without a page. */
export function NotFoundPage() {
  return (
    <Page title="No such page">
      <p>
        There is no page at this address. The lists in the navigation lead everywhere;{' '}
        <Link to="/">Home</Link> says what needs attention.
      </p>
    </Page>
  );
}
