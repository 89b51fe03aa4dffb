import type { Wording } from './wording.ts';

/** Emails in French. A space that does not break stands before each colon, and after "n°". */
export const FR: Wording = {
  texts: {
    invoice: {
      subject: '{company}\u00a0: facture n°\u00a0{number}',
      body: `Bonjour {customer},

Votre facture n°\u00a0{number} d’un montant de {total} est disponible.

Montant à payer\u00a0: {amount_due}
Date d’échéance\u00a0: {due_date}

Consulter et télécharger la facture\u00a0: {link}

Cordialement,
{company}`,
    },
    credit_note: {
      subject: '{company}\u00a0: avoir n°\u00a0{number}',
      body: `Bonjour {customer},

Nous avons émis l’avoir n°\u00a0{number} d’un montant de {total}, relatif à la facture n°\u00a0{invoices}.

Consulter et télécharger l’avoir\u00a0: {link}

Cordialement,
{company}`,
    },
    receipt: {
      subject: '{company}\u00a0: reçu de votre paiement',
      body: `Bonjour {customer},

Nous avons bien reçu votre paiement de {total} et vous en remercions.

Facture\u00a0: {invoices}
Moyen de paiement\u00a0: {method}

Consulter vos factures et paiements\u00a0: {link}

Cordialement,
{company}`,
    },
    payment_failed: {
      subject: '{company}\u00a0: échec du paiement de la facture n°\u00a0{number}',
      body: `Bonjour {customer},

Le prélèvement de {amount_due} pour la facture n°\u00a0{number} n’a malheureusement pas abouti.

Moyen de paiement\u00a0: {method}
Date d’échéance\u00a0: {due_date}

Nous vous prions de régler la facture ou de choisir un autre moyen de paiement\u00a0: {link}

Cordialement,
{company}`,
    },
    reminder: {
      subject: '{company}\u00a0: rappel de paiement, {number}',
      body: `Bonjour {customer},

Nous souhaitons vous rappeler un paiement.

Facture\u00a0: {number}
Date d’échéance\u00a0: {due_date}

Factures en attente de paiement
{invoices}

Montant total à payer\u00a0: {amount_due}

Consulter et télécharger vos factures\u00a0: {link}

Si vous avez déjà effectué le paiement, veuillez ne pas tenir compte de cet e-mail.

Cordialement,
{company}`,
    },
    statement: {
      subject: '{company}\u00a0: relevé de compte',
      body: `Bonjour {customer},

Veuillez trouver ci-dessous la liste de vos factures à régler.

{invoices}

Montant dû\u00a0: {amount_due}

Consulter vos factures et paiements\u00a0: {link}

Cordialement,
{company}`,
    },
  },
  buttons: {
    invoice: 'Consulter la facture',
    credit_note: 'Consulter l’avoir',
    receipt: 'Consulter les factures et paiements',
    payment_failed: 'Régler la facture',
    reminder: 'Consulter les factures',
    statement: 'Consulter les factures à régler',
  },
  replaces: (number) => `Cette facture annule et remplace la facture n°\u00a0${number}.`,
};
