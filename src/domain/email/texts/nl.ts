import type { Wording } from './wording.ts';

/** Emails in Dutch. */
export const NL: Wording = {
  texts: {
    invoice: {
      subject: 'Factuur {number} van {company}',
      body: `Geachte heer, mevrouw,

Uw factuur {number} ter hoogte van {total} staat voor u klaar.

Openstaand bedrag: {amount_due}
Vervaldatum: {due_date}

Factuur bekijken en downloaden: {link}

Met vriendelijke groet,
{company}`,
    },
    credit_note: {
      subject: 'Creditnota {number} van {company}',
      body: `Geachte heer, mevrouw,

Wij hebben creditnota {number} ter hoogte van {total} opgesteld. Deze heeft betrekking op factuur {invoices}.

Creditnota bekijken en downloaden: {link}

Met vriendelijke groet,
{company}`,
    },
    receipt: {
      subject: 'Ontvangstbevestiging van uw betaling aan {company}',
      body: `Geachte heer, mevrouw,

Wij hebben uw betaling van {total} ontvangen. Hartelijk dank.

Factuur: {invoices}
Betaalmethode: {method}

Uw facturen en betalingen bekijken: {link}

Met vriendelijke groet,
{company}`,
    },
    payment_failed: {
      subject: 'Betaling van factuur {number} van {company} mislukt',
      body: `Geachte heer, mevrouw,

Helaas is de incasso van {amount_due} voor factuur {number} niet gelukt.

Betaalmethode: {method}
Vervaldatum: {due_date}

Wij verzoeken u de factuur te betalen of een andere betaalmethode te kiezen: {link}

Met vriendelijke groet,
{company}`,
    },
    reminder: {
      subject: 'Betalingsherinnering van {company}: {number}',
      body: `Geachte heer, mevrouw,

Wij willen u herinneren aan een betaling.

Factuur: {number}
Vervaldatum: {due_date}

Momenteel openstaand
{invoices}

Totaal openstaand bedrag: {amount_due}

Facturen bekijken en downloaden: {link}

Als u al hebt betaald, kunt u deze e-mail als niet verzonden beschouwen.

Met vriendelijke groet,
{company}`,
    },
    statement: {
      subject: 'Rekeningoverzicht van {company}',
      body: `Geachte heer, mevrouw,

Dit is een overzicht van uw openstaande facturen.

{invoices}

Openstaand bedrag: {amount_due}

Uw facturen en betalingen bekijken: {link}

Met vriendelijke groet,
{company}`,
    },
  },
  buttons: {
    invoice: 'Factuur bekijken',
    credit_note: 'Creditnota bekijken',
    receipt: 'Facturen en betalingen bekijken',
    payment_failed: 'Factuur betalen',
    reminder: 'Facturen bekijken',
    statement: 'Openstaande facturen bekijken',
  },
  replaces: (number) => `Deze factuur vervangt factuur ${number}.`,
};
