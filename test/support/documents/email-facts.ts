import type { EmailFacts } from '../../../src/domain/email/compose.ts';

/** The facts of an email about an open invoice of 1,234.50 EUR, due on 10 March 2026. */
export function anEmail(facts: Partial<EmailFacts> = {}): EmailFacts {
  return {
    kind: 'invoice',
    language: 'en',
    customer: 'Acme Inc.',
    company: 'Tidemark Ltd',
    currency: 'EUR',
    number: 'INV-000007',
    total: '1234.50',
    amount_due: '234.50',
    due_date: '2026-03-10',
    invoices: ['INV-000007'],
    owed: null,
    method: 'Visa 4242',
    replaces: null,
    ...facts,
  };
}
