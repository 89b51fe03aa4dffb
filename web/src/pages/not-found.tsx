import { Page } from '../components/page.tsx';
import { Link } from '../shell/environment.tsx';

/** Page of an address without a page. */
export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <p>
        This page does not exist. Use the navigation to find a page; <Link to="/">Home</Link> shows what needs
        attention.
      </p>
    </Page>
  );
}
