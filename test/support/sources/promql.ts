/** A selector of series in a PromQL expression: the name of the metric and the labels that it names. */
export type Selector = { metric: string; labels: readonly string[] };

const WORDS = new Set(['and', 'or', 'unless', 'offset', 'bool', 'inf', 'nan']);

/** The selectors of an expression, and the labels by which it groups. Understands what our rules and our dashboard use of PromQL. */
export function selectorsOf(expression: string): { selectors: Selector[]; grouped: string[] } {
  const groups = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;
  const grouped = [...expression.matchAll(groups)].flatMap(([, list]) => namesIn(list!));
  const rest = expression
    .replaceAll(groups, ' ')
    // Ranges and the durations of offset.
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\boffset \w+/g, ' ');
  const names = /([a-zA-Z_]\w*)\s*(\{[^}]*\}|\()?/g;
  const selectors = [...rest.matchAll(names)]
    .filter(([, name, after]) => after !== '(' && !WORDS.has(name!))
    .map(([, metric, braces = '']) => ({ metric: metric!, labels: labelsIn(braces) }));
  return { selectors, grouped };
}

/** Label names of each series of a scrape in the text format of Prometheus, by the name of the series. */
export function labelsOfScrape(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name, braces = ''] of text.matchAll(/^([a-zA-Z_]\w*)(\{.*\})? /gm)) {
    const labels = found.get(name!) ?? new Set();
    for (const label of labelsIn(braces)) labels.add(label);
    found.set(name!, labels);
  }
  return found;
}

function labelsIn(braces: string): string[] {
  return [...braces.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"(?:[^"\\]|\\.)*"/g)].map(([, label]) => label!);
}

function namesIn(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}
