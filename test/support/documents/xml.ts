import { SaxesParser } from 'saxes';

/** An element of a parsed XML document. */
export type ParsedElement = {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Its own text, without that of its children. */
  text: string;
  children: ParsedElement[];
};

/** Parses a document by another library than the one that writes it. Throws if it is not well-formed XML 1.0 with known namespaces. */
export function parseXml(bytes: Uint8Array): ParsedElement {
  const parser = new SaxesParser({ xmlns: true, fragment: false });
  const root: ParsedElement = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value]);
    const element = { name, attributes: Object.fromEntries(values), text: '', children: [] };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => (open.at(-1)!.text += text));
  parser.on('closetag', () => open.pop());
  parser.write(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).close();
  return root.children[0]!;
}

/** The elements at a path of names below an element, in the order of the document: `cac:InvoiceLine/cbc:ID`. */
export function elementsAt(element: ParsedElement, path: string): ParsedElement[] {
  return path
    .split('/')
    .reduce(
      (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
      [element],
    );
}

/** The texts of those elements. */
export function textsAt(element: ParsedElement, path: string): string[] {
  return elementsAt(element, path).map(({ text }) => text);
}
