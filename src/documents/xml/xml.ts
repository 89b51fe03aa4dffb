import Builder from 'fast-xml-builder';

/**
 * Attributes begin with `@`, the text beside them is `#`. An absent member is left out, an array repeats its element.
 */
export type XmlElement = { readonly [name: string]: XmlNode | undefined };
type XmlNode = string | XmlElement | readonly XmlNode[];

const builder = new Builder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#',
  format: true,
});

/** Everything that is no character of XML 1.0, such as most control characters and halves of surrogate pairs. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** An XML 1.0 document in UTF-8. A character that XML forbids becomes U+FFFD; line ends become line feeds. */
export function xmlBytes(root: XmlElement): Buffer {
  const declaration = { '?xml': { '@version': '1.0', '@encoding': 'UTF-8' } };
  return Buffer.from(builder.build({ ...declaration, ...allowedIn(root) }), 'utf8');
}

function allowedIn(element: XmlElement): XmlElement {
  return Object.fromEntries(
    Object.entries(element).flatMap(([name, node]) => (node === undefined ? [] : [[name, allowed(node)]])),
  );
}

function allowed(node: XmlNode): XmlNode {
  if (typeof node === 'string') return node.replaceAll(FORBIDDEN, '\u{FFFD}').replaceAll(/\r\n?/g, '\n');
  return isList(node) ? node.map(allowed) : allowedIn(node);
}

function isList(node: XmlElement | readonly XmlNode[]): node is readonly XmlNode[] {
  return Array.isArray(node);
}
