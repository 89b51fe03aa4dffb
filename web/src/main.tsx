import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './shell/theme.tsx';

applyTheme();
render(<App />, document.body);
