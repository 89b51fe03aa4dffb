import type { BilledCustomer, Seller } from '../../objects/invoice.ts';
import { addressText, taxIdsText } from './party-lines.ts';
import { drawLogo, type Logo } from './pdf-logo.ts';
import {
  GREY,
  hasRoom,
  INK,
  LEFT,
  moveTo,
  startPart,
  turnPage,
  WIDTH,
  writeLines,
  type Paper,
  type Place,
} from './pdf-paper.ts';
import { drawLines, heightOf, lineOf, wrap, type Style } from './pdf-text.ts';

const TITLE: Style = { weight: 'bold', size: 20, color: INK };
const STRONG: Style = { weight: 'bold', size: 10, color: INK };
const PLAIN: Style = { weight: 'regular', size: 9, color: INK };
const LABEL: Style = { weight: 'regular', size: 9, color: GREY };
/** Style of the facts that a reader looks for first. */
const LARGE: Style = { weight: 'bold', size: 12, color: INK };

const HALF = WIDTH / 2 - 12;
const SECOND_HALF = LEFT + WIDTH - HALF;
const LABEL_WIDTH = 84;
const SPACE = 20;
/** Room for a line below a label, which stays with it. */
const KEPT_WITH_LABEL = 16;

/** A paragraph. A label has space above it. */
type Paragraph = { text: string; style: Style; is_label?: boolean };

/** A label and what it says; null is left out. */
export type Fact = [label: string, fact: string | null, emphasis?: 'strong'];

/**
 * Draws logo, seller and customer on the left; the title of the document and its facts on the right. Each column
 * continues on the next page if necessary, and what follows begins below the longer one.
 */
export function drawHead(
  paper: Paper,
  {
    title,
    logo,
    seller,
    customer,
    facts,
  }: { title: string; logo: Logo | null; seller: Seller; customer: BilledCustomer; facts: Fact[] },
): void {
  const { page, y } = paper;
  if (logo !== null) drawLogo(paper, logo);
  for (const paragraph of partiesOf(seller, customer)) drawParagraph(paper, paragraph);
  const left_end: Place = { page: paper.page, y: paper.y };
  moveTo(paper, { page, y });
  const lines = wrap(paper.document, title, { style: TITLE, width: HALF });
  writeLines(paper, { part: startPart(paper, 'H1'), lines, style: TITLE, x: SECOND_HALF, width: HALF });
  paper.y += 6;
  for (const fact of facts) drawFact(paper, fact);
  if (left_end.page > paper.page || (left_end.page === paper.page && left_end.y > paper.y))
    moveTo(paper, left_end);
  paper.y += SPACE;
}

function partiesOf(seller: Seller, customer: BilledCustomer): Paragraph[] {
  const { external_id, name, email } = customer;
  return [
    { text: seller.name, style: STRONG },
    { text: addressText(seller.address), style: PLAIN },
    { text: taxIdsText(seller.tax_ids), style: PLAIN },
    { text: 'Billed to', style: LABEL, is_label: true },
    { text: name ?? external_id, style: STRONG },
    { text: name === null ? '' : external_id, style: PLAIN },
    { text: email ?? '', style: PLAIN },
    { text: addressText(customer.address), style: PLAIN },
    { text: taxIdsText(customer.tax_ids), style: PLAIN },
  ];
}

/** Draws a paragraph in the left half. */
function drawParagraph(paper: Paper, { text, style, is_label = false }: Paragraph): void {
  if (text === '') return;
  const lines = text.split('\n').flatMap((part) => wrap(paper.document, part, { style, width: HALF }));
  if (is_label && hasRoom(paper, SPACE + heightOf(lines, style) + KEPT_WITH_LABEL)) paper.y += SPACE;
  else if (is_label) turnPage(paper);
  writeLines(paper, { part: startPart(paper, 'P'), lines, style, x: LEFT, width: HALF });
}

/** Draws a label and its fact in the right half. */
function drawFact(paper: Paper, [label, fact, emphasis]: Fact): void {
  if (fact === null) return;
  const { document } = paper;
  const style = emphasis === 'strong' ? LARGE : PLAIN;
  const width = HALF - LABEL_WIDTH;
  const place = { style: LABEL, x: SECOND_HALF, width: LABEL_WIDTH, is_followed: true };
  const column = { style, width };
  writeLines(paper, {
    part: startPart(paper, 'P'),
    lines: wrap(document, fact, column),
    ...column,
    x: SECOND_HALF + LABEL_WIDTH,
    beside: (y) => drawLines(document, [lineOf(label, LABEL)], { ...place, y: y + style.size - LABEL.size }),
  });
  paper.y += 2;
}
