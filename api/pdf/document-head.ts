import type { BilledCustomer, Seller } from '../../src/db/invoicing/invoices.ts';
import { addressText, taxIdsText } from './party-lines.ts';
import { drawPart, GREY, INK, LEFT, WIDTH, type Paper } from './pdf-paper.ts';
import { drawLines, heightOf, lineOf, wrap, type Style } from './pdf-text.ts';

const TITLE: Style = { weight: 'bold', size: 20, color: INK };
const STRONG: Style = { weight: 'bold', size: 10, color: INK };
const PLAIN: Style = { weight: 'regular', size: 9, color: INK };
const LABEL: Style = { weight: 'regular', size: 9, color: GREY };

const HALF = WIDTH / 2 - 12;
const SECOND_HALF = LEFT + WIDTH - HALF;
const LABEL_WIDTH = 84;
const SPACE = 20;
/** Limits with which the head fits on one page even if all texts have the maximum length. */
const LINES_MAX = { seller_address: 10, customer_address: 6, name: 6, tax_ids: 5 };

/** A paragraph; `above` is the space above it, in points. */
type Paragraph = { text: string; style: Style; above?: number; lines_max?: number };

/** A label and what it says; null is left out. */
export type Fact = [label: string, fact: string | null];

/** Draws seller and customer on the left; the title of the document and its facts on the right. */
export function drawHead(
  paper: Paper,
  {
    title,
    seller,
    customer,
    facts,
  }: { title: string; seller: Seller; customer: BilledCustomer; facts: Fact[] },
): void {
  const left = drawParagraphs(paper, partiesOf(seller, customer));
  const below = drawParagraphs(paper, [{ text: title, style: TITLE }], SECOND_HALF);
  const right = drawFacts({ ...paper, y: below + 6 }, facts);
  paper.y = Math.max(left, right) + SPACE;
}

function partiesOf(seller: Seller, customer: BilledCustomer): Paragraph[] {
  const { external_id, name, email } = customer;
  return [
    { text: seller.name, style: STRONG, lines_max: LINES_MAX.name },
    { text: addressText(seller.address), style: PLAIN, lines_max: LINES_MAX.seller_address },
    { text: taxIdsText(seller.tax_ids), style: PLAIN, lines_max: LINES_MAX.tax_ids },
    { text: 'Billed to', style: LABEL, above: SPACE },
    { text: name ?? external_id, style: STRONG, lines_max: LINES_MAX.name },
    { text: name === null ? '' : external_id, style: PLAIN, lines_max: LINES_MAX.name },
    { text: email ?? '', style: PLAIN, lines_max: LINES_MAX.name },
    { text: addressText(customer.address), style: PLAIN, lines_max: LINES_MAX.customer_address },
    { text: taxIdsText(customer.tax_ids), style: PLAIN, lines_max: LINES_MAX.tax_ids },
  ];
}

/** Draws paragraphs below each other and returns the y at which they end. */
function drawParagraphs(paper: Paper, paragraphs: readonly Paragraph[], x = LEFT): number {
  const { document } = paper;
  let { y } = paper;
  for (const { text, style, above = 0, lines_max = Infinity } of paragraphs) {
    if (text === '') continue;
    const lines = text
      .split('\n')
      .flatMap((part) => wrap(document, part, style, HALF))
      .slice(0, lines_max);
    y += above;
    drawPart(paper, style === TITLE ? 'H1' : 'P', () =>
      drawLines(document, lines, style, { x, y, width: HALF }),
    );
    y += heightOf(lines, style);
  }
  return y;
}

function drawFacts(paper: Paper, facts: readonly Fact[]): number {
  const { document } = paper;
  const width = HALF - LABEL_WIDTH;
  let { y } = paper;
  for (const [label, fact] of facts) {
    if (fact === null) continue;
    const lines = wrap(document, fact, PLAIN, width);
    drawPart(paper, 'P', () => {
      drawLines(document, [lineOf(label, LABEL)], LABEL, {
        ...{ x: SECOND_HALF, y, width: LABEL_WIDTH },
        is_followed: true,
      });
      drawLines(document, lines, PLAIN, { x: SECOND_HALF + LABEL_WIDTH, y, width });
    });
    y += heightOf(lines, PLAIN) + 2;
  }
  return y;
}
