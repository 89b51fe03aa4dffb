/** Marks of browsers, the most particular first: all of them name others, too. */
const BROWSERS: readonly [mark: RegExp, name: string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly [mark: RegExp, name: string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** "Chrome on Linux", of the text that a browser sends as its User-Agent; null if it names neither. */
export function browserOf(user_agent: string): string | null {
  const [browser, system] = [nameIn(BROWSERS, user_agent), nameIn(SYSTEMS, user_agent)];
  if (browser !== null && system !== null) return `${browser} on ${system}`;
  return browser ?? system;
}

function nameIn(names: readonly [mark: RegExp, name: string][], text: string): string | null {
  return names.find(([mark]) => mark.test(text))?.[1] ?? null;
}
