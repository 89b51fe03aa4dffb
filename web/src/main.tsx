import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './shell/theme.tsx';
import { guardUnsaved } from './components/unsaved.ts';

applyTheme();
guardUnsaved();
render(<App />, document.body);
