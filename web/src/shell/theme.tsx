import { useState } from 'preact/hooks';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const KEPT_AS = 'tidemark-theme';

function keptTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEPT_AS)) ?? 'system';
  } catch {
    // In a frame, the browser may refuse storage.
    return 'system';
  }
}

/** Sets the chosen theme on the document; `system` leaves the choice to the browser. */
export function applyTheme(theme: Theme = keptTheme()): void {
  document.documentElement.dataset['theme'] = theme;
}

/** A select for the theme, kept in the browser's local storage. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(keptTheme);
  const choose = (chosen: Theme) => {
    localStorage.setItem(KEPT_AS, chosen);
    applyTheme(chosen);
    setTheme(chosen);
  };
  return (
    <label>
      <span class="unseen">Theme</span>
      <select onChange={({ currentTarget }) => choose(THEMES[currentTarget.selectedIndex] ?? 'system')}>
        {THEMES.map((name) => (
          <option key={name} selected={name === theme}>
            {`${name} theme`}
          </option>
        ))}
      </select>
    </label>
  );
}
