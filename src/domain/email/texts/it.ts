import type { Wording } from './wording.ts';

/** Emails in Italian. Days stand behind a colon, because their article depends on the number: "il 10", "l’8". */
export const IT: Wording = {
  texts: {
    invoice: {
      subject: '{company}: fattura n. {number}',
      body: `Gentile {customer},

la Sua fattura n. {number} per un importo di {total} è disponibile.

Importo da pagare: {amount_due}
Scadenza: {due_date}

Per visualizzare e scaricare la fattura: {link}

Cordiali saluti
{company}`,
    },
    credit_note: {
      subject: '{company}: nota di credito n. {number}',
      body: `Gentile {customer},

abbiamo emesso la nota di credito n. {number} per un importo di {total}, relativa alla fattura n. {invoices}.

Per visualizzare e scaricare la nota di credito: {link}

Cordiali saluti
{company}`,
    },
    receipt: {
      subject: '{company}: ricevuta del Suo pagamento',
      body: `Gentile {customer},

abbiamo ricevuto il Suo pagamento di {total} e La ringraziamo.

Fattura: {invoices}
Metodo di pagamento: {method}

Per visualizzare le Sue fatture e i Suoi pagamenti: {link}

Cordiali saluti
{company}`,
    },
    payment_failed: {
      subject: '{company}: pagamento della fattura n. {number} non riuscito',
      body: `Gentile {customer},

purtroppo l’addebito di {amount_due} per la fattura n. {number} non è andato a buon fine.

Metodo di pagamento: {method}
Scadenza: {due_date}

La preghiamo di pagare la fattura o di scegliere un altro metodo di pagamento: {link}

Cordiali saluti
{company}`,
    },
    reminder: {
      subject: '{company}: promemoria di pagamento, {number}',
      body: `Gentile {customer},

desideriamo ricordarLe un pagamento.

Fattura: {number}
Scadenza: {due_date}

Attualmente da pagare
{invoices}

Importo totale da pagare: {amount_due}

Per visualizzare e scaricare le fatture: {link}

Se ha già effettuato il pagamento, La preghiamo di non tenere conto di questa e-mail.

Cordiali saluti
{company}`,
    },
    statement: {
      subject: '{company}: estratto conto',
      body: `Gentile {customer},

questo è l’elenco delle Sue fatture da pagare.

{invoices}

Importo dovuto: {amount_due}

Per visualizzare le Sue fatture e i Suoi pagamenti: {link}

Cordiali saluti
{company}`,
    },
  },
  buttons: {
    invoice: 'Visualizza la fattura',
    credit_note: 'Visualizza la nota di credito',
    receipt: 'Visualizza fatture e pagamenti',
    payment_failed: 'Paga la fattura',
    reminder: 'Visualizza le fatture',
    statement: 'Visualizza le fatture da pagare',
  },
  replaces: (number) => `Questa fattura sostituisce la fattura n. ${number}.`,
};
