import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './shell/theme.tsx';
import { guardUnsaved } from './components/unsaved.ts';

// A path that begins with two slashes names another site wherever it is used as a link.
if (location.pathname.startsWith('//'))
  history.replaceState(null, '', location.pathname.replace(/^\/+/, '/') + location.search + location.hash);
applyTheme();
guardUnsaved();
render(<App />, document.body);
