import type { Wording } from './wording.ts';

/** Emails in English. */
export const EN: Wording = {
  texts: {
    invoice: {
      subject: 'Invoice {number} from {company}',
      body: `Dear {customer},

Your invoice {number} for {total} is now available.

Amount due: {amount_due}
Due date: {due_date}

View and download the invoice: {link}

Kind regards,
{company}`,
    },
    credit_note: {
      subject: 'Credit note {number} from {company}',
      body: `Dear {customer},

We have issued credit note {number} for {total}, which relates to invoice {invoices}.

View and download the credit note: {link}

Kind regards,
{company}`,
    },
    receipt: {
      subject: 'Receipt for your payment to {company}',
      body: `Dear {customer},

We have received your payment of {total}. Thank you.

Invoice: {invoices}
Payment method: {method}

View your invoices and payments: {link}

Kind regards,
{company}`,
    },
    payment_failed: {
      subject: 'Payment of invoice {number} from {company} was unsuccessful',
      body: `Dear {customer},

Unfortunately, we were unable to collect {amount_due} for invoice {number}.

Payment method: {method}
Due date: {due_date}

Please pay the invoice or choose another payment method: {link}

Kind regards,
{company}`,
    },
    reminder: {
      subject: 'Payment reminder from {company}: {number}',
      body: `Dear {customer},

We would like to remind you of a payment.

Invoice: {number}
Due date: {due_date}

Currently open
{invoices}

Total amount due: {amount_due}

View and download your invoices: {link}

If you have already paid, please disregard this email.

Kind regards,
{company}`,
    },
    statement: {
      subject: 'Statement of account from {company}',
      body: `Dear {customer},

This is a list of your open invoices.

{invoices}

Amount due: {amount_due}

View your invoices and payments: {link}

Kind regards,
{company}`,
    },
  },
  buttons: {
    invoice: 'View invoice',
    credit_note: 'View credit note',
    receipt: 'View invoices and payments',
    payment_failed: 'Pay invoice',
    reminder: 'View invoices',
    statement: 'View open invoices',
  },
  replaces: (number) => `This invoice replaces invoice ${number}.`,
};
