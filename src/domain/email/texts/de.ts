import type { Wording } from './wording.ts';

/** Emails in German. "Gutschrift" alone is a self-billed invoice there, so a credit note is a "Rechnungskorrektur". */
export const DE: Wording = {
  texts: {
    invoice: {
      subject: 'Rechnung {number} von {company}',
      body: `Guten Tag {customer},

Ihre Rechnung {number} über {total} liegt für Sie bereit.

Offener Betrag: {amount_due}
Zahlbar bis: {due_date}

Rechnung ansehen und herunterladen: {link}

Mit freundlichen Grüßen
{company}`,
    },
    credit_note: {
      subject: 'Rechnungskorrektur {number} von {company}',
      body: `Guten Tag {customer},

zu Ihrer Rechnung {invoices} haben wir die Rechnungskorrektur {number} über {total} ausgestellt.

Rechnungskorrektur ansehen und herunterladen: {link}

Mit freundlichen Grüßen
{company}`,
    },
    receipt: {
      subject: 'Bestätigung Ihrer Zahlung an {company}',
      body: `Guten Tag {customer},

wir haben Ihre Zahlung über {total} erhalten. Vielen Dank.

Rechnung: {invoices}
Zahlungsart: {method}

Rechnungen und Zahlungen ansehen: {link}

Mit freundlichen Grüßen
{company}`,
    },
    payment_failed: {
      subject: 'Zahlung der Rechnung {number} von {company} fehlgeschlagen',
      body: `Guten Tag {customer},

leider konnten wir den Betrag von {amount_due} für die Rechnung {number} nicht einziehen.

Zahlungsart: {method}
Zahlbar bis: {due_date}

Bitte bezahlen Sie die Rechnung oder wählen Sie eine andere Zahlungsart: {link}

Mit freundlichen Grüßen
{company}`,
    },
    reminder: {
      subject: 'Zahlungserinnerung von {company}: {number}',
      body: `Guten Tag {customer},

wir möchten Sie an eine Zahlung erinnern.

Rechnung: {number}
Zahlbar bis: {due_date}

Derzeit offen
{invoices}

Offener Gesamtbetrag: {amount_due}

Rechnungen ansehen und herunterladen: {link}

Falls Sie bereits gezahlt haben, betrachten Sie diese E-Mail bitte als gegenstandslos.

Mit freundlichen Grüßen
{company}`,
    },
    statement: {
      subject: 'Ihre offenen Rechnungen von {company}',
      body: `Guten Tag {customer},

hier ist eine Aufstellung Ihrer offenen Rechnungen.

{invoices}

Offener Betrag: {amount_due}

Rechnungen und Zahlungen ansehen: {link}

Mit freundlichen Grüßen
{company}`,
    },
  },
  buttons: {
    invoice: 'Rechnung ansehen',
    credit_note: 'Rechnungskorrektur ansehen',
    receipt: 'Rechnungen und Zahlungen ansehen',
    payment_failed: 'Rechnung bezahlen',
    reminder: 'Rechnungen ansehen',
    statement: 'Offene Rechnungen ansehen',
  },
  replaces: (number) => `Diese Rechnung ersetzt die Rechnung ${number}.`,
};
